import ipaddr from "ipaddr.js";

/** No text that is longer has a format. */
const MAX_LENGTH = 2_048;
const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
const TIME = /^([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(\.\d+)?(z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i;
const DURATION = /^P(?!$)(\d+W|(\d+Y)?(\d+M)?(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+S)?)?)$/;
const HOST_LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i;
const LOCAL_PART = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const SCHEME = /^[a-z][a-z0-9+.-]*:/i;

const formats: Readonly<Record<string, (text: string) => boolean>> = {
  date: isDate,
  time: (text) => TIME.test(text),
  "date-time": (text) =>
    isDate(text.slice(0, 10)) && /^[t ]/i.test(text.slice(10)) && TIME.test(text.slice(11)),
  duration: (text) => DURATION.test(text),
  email: (text) => {
    const at = text.lastIndexOf("@");
    const local = text.slice(0, Math.max(at, 0));
    return LOCAL_PART.test(local) && !/^\.|\.\.|\.$/.test(local) && isHost(text.slice(at + 1));
  },
  hostname: isHost,
  ipv4: (text) => ipaddr.IPv4.isValidFourPartDecimal(text),
  ipv6: (text) => ipaddr.IPv6.isValid(text) && !text.includes("%"),
  uri: (text) => SCHEME.test(text) && !/[\s<>"{}|\\^`]/.test(text) && URL.canParse(text),
  uuid: (text) => UUID.test(text),
};

export const formatNames: readonly string[] = Object.keys(formats);

export function hasFormat(format: string, text: string): boolean {
  return text.length <= MAX_LENGTH && formats[format]!(text);
}

function isDate(text: string): boolean {
  const [, year, month, day] = DATE.exec(text) ?? [];
  if (day === undefined) return false;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
}

function isHost(text: string): boolean {
  return text.length <= 253 && text.split(".").every((label) => HOST_LABEL.test(label));
}
