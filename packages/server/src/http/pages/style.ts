/**
 * The looks of every page that the service writes itself. The colours are those of the console's `tokens.css`; a test
 * compares them.
 */
export const pageStyle = `:root{color-scheme:light dark;--page:light-dark(#f7f8f8,#0f1314);--surface:light-dark(#ffffff,#151a1c);--sunken:light-dark(#eff2f2,#0b0e0f);--line:light-dark(#dde3e3,#2a3234);--line-strong:light-dark(#7d898b,#768285);--ink:light-dark(#15191a,#e6ebec);--ink-2:light-dark(#4c5759,#a9b5b8);--accent:light-dark(#0c6470,#58c3cf);--accent-ink:light-dark(#ffffff,#06282c);--good:light-dark(#1a6b3c,#6fcf97);--good-soft:light-dark(#e2f3e8,#14301f);--bad:light-dark(#b3261e,#ff8f87);--bad-soft:light-dark(#fbe9e7,#3c1917);--warn:light-dark(#855300,#f0b95a);--warn-soft:light-dark(#fbf0da,#36280c);--busy:light-dark(#1958b0,#84b5ff);--busy-soft:light-dark(#e4eefb,#152842);--idle:light-dark(#566163,#9ba8ab);--idle-soft:light-dark(#ecf0f0,#22292b);--mono:ui-monospace,"SF Mono","Cascadia Mono","JetBrains Mono","DejaVu Sans Mono",monospace}
*{box-sizing:border-box}
html{font:0.9375rem/1.5 system-ui,-apple-system,"Segoe UI","Noto Sans","Liberation Sans",sans-serif;text-size-adjust:100%;scroll-padding-top:1rem}
body{margin:0;background:var(--page);color:var(--ink);overflow-wrap:anywhere}
h1,h2,h3,h4{line-height:1.25;margin:0 0 .5rem;font-weight:620}h1{font-size:1.45rem}h2{font-size:1.15rem}h3{font-size:1rem}h4{font-size:.8125rem;color:var(--ink-2);margin-top:1rem}
p{margin:0 0 .75rem}a{color:var(--accent);text-underline-offset:.18em}
code,pre{font-family:var(--mono);font-size:.9em}code{background:var(--sunken);border-radius:4px;padding:.1em .3em}
pre{background:var(--sunken);border:1px solid var(--line);border-radius:7px;padding:.75rem;margin:0 0 .75rem;overflow:auto;max-height:26rem;white-space:pre-wrap}pre code{background:none;padding:0}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.muted{color:var(--ink-2)}.brand{display:flex;align-items:center;gap:.5rem;font-weight:620;margin:0 0 1rem;color:var(--ink);text-decoration:none}
.narrow,.wide{margin:0 auto;padding:1.25rem 1rem 4rem}.narrow{max-width:38rem}.wide{max-width:62rem}
.card{background:var(--surface);border:1px solid var(--line);border-radius:10px;padding:1.25rem;margin:0 0 1rem}
.scroll{overflow-x:auto;margin:0 0 .75rem}
table{border-collapse:collapse;width:100%}td,th{border-bottom:1px solid var(--line);text-align:left;padding:.4rem .6rem .4rem 0;vertical-align:top}.stacked td:nth-child(2){white-space:nowrap}th{font-weight:520;color:var(--ink-2);font-size:.8125rem}
.status{display:inline-block;border-radius:999px;padding:.05rem .6rem;font-size:.8125rem;font-weight:520;background:var(--idle-soft);color:var(--idle)}
.status[data-tone=good]{background:var(--good-soft);color:var(--good)}.status[data-tone=bad]{background:var(--bad-soft);color:var(--bad)}.status[data-tone=warn]{background:var(--warn-soft);color:var(--warn)}.status[data-tone=busy]{background:var(--busy-soft);color:var(--busy)}
.message{white-space:pre-wrap;font-size:1.15rem;max-height:60vh;overflow:auto}
.facts{display:grid;grid-template-columns:auto 1fr;gap:.25rem 1rem;margin:0 0 1rem}.facts dt{color:var(--ink-2)}.facts dd{margin:0;min-width:0}
.field{margin:0 0 1rem}.field label{display:block;font-weight:520;margin:0 0 .25rem}.field small{display:block;color:var(--ink-2)}
.field input:not([type=checkbox]),select,textarea{width:100%;font:inherit;color:inherit;background:var(--page);border:1px solid var(--line-strong);border-radius:7px;padding:.55rem .65rem}
.field input[type=checkbox]{width:1.35rem;height:1.35rem;accent-color:var(--accent)}
.field:has([type=checkbox]){display:flex;flex-flow:row-reverse wrap;justify-content:flex-end;align-items:center;gap:.25rem .6rem}.field:has([type=checkbox]) label{flex:1;margin:0}.field:has([type=checkbox])>:is(small,strong){order:-1;flex-basis:100%}
.fault{display:block;color:var(--bad);margin:.25rem 0 .75rem}
.answers{display:flex;flex-wrap:wrap;gap:.75rem;margin:0}button{font:inherit;font-weight:520;min-height:2.75rem;padding:.5rem 1.4rem;border-radius:7px;border:1px solid var(--line-strong);background:var(--surface);color:var(--ink);cursor:pointer}
button.primary{background:var(--accent);border-color:var(--accent);color:var(--accent-ink)}
.value{background:var(--sunken);border:1px solid var(--line);border-radius:7px;padding:.5rem .75rem;margin:0 0 .75rem;overflow:auto;max-height:26rem;font:.8125rem/1.6 var(--mono)}.value details,.value summary{margin:0;padding:0}.value details{display:inline-block;vertical-align:top}.value ul{list-style:none;margin:0 0 0 .3rem;padding:0 0 0 1rem;border-left:1px solid var(--line)}.value .key{color:var(--ink-2)}.value .text{color:var(--good);white-space:pre-wrap}.value .plain{color:var(--busy)}
details{margin:0 0 .5rem}summary{cursor:pointer;padding:.25rem 0}
.docs{display:grid;grid-template-columns:15rem minmax(0,1fr);gap:2rem;max-width:76rem;margin:0 auto;padding:1.25rem 1rem 4rem}
.docs nav{position:sticky;top:0;align-self:start;max-height:100vh;overflow:auto;padding:.25rem .25rem 2rem;font-size:.8125rem}.docs nav ul{list-style:none;margin:0;padding:0 0 0 .9rem}.docs nav a{display:block;padding:.2rem 0}.docs nav>ul{padding:0}.docs nav summary{font-weight:520;padding:.3rem 0}
.operation{border-top:1px solid var(--line);padding:1.5rem 0 .5rem}.operation h3{display:flex;flex-wrap:wrap;gap:.5rem;align-items:baseline}
.method{font-family:var(--mono);font-size:.8125rem;font-weight:620;color:var(--busy)}.method[data-method=post]{color:var(--good)}.method[data-method=delete]{color:var(--bad)}.method[data-method=put],.method[data-method=patch]{color:var(--warn)}
.schema,.schema ul{list-style:none;margin:0;padding:0}.schema ul{border-left:1px solid var(--line);padding-left:.8rem;margin:.2rem 0 .2rem .2rem}.schema li{padding:.2rem 0}.type{color:var(--ink-2);font-size:.8125rem}.required{color:var(--warn);font-size:.8125rem}
@media(max-width:56rem){.docs{display:block}.docs nav{position:static;max-height:none;padding:0 0 1rem}}
@media(max-width:30rem){.stacked thead{display:none}.stacked tr{display:block;padding:.5rem 0;border-bottom:1px solid var(--line)}.stacked td{display:block;border:0;padding:.1rem 0}.stacked td:nth-child(2){white-space:normal}.stacked td[data-label]::before{content:attr(data-label) " ";color:var(--ink-2)}}
@media print{.docs nav{display:none}.docs{display:block}}`;
