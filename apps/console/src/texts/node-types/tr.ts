import type { Sentences } from "./sentences.ts";

export const sentences: Sentences = {
  "Where the flow begins. Its inputs are defaults for what the trigger leaves out.":
    "Akışın başladığı yer. Girdileri, tetikleyicinin vermediği değerlerin varsayılanlarıdır.",
  "Makes an object of fixed values and expressions.": "Sabit değerlerden ve ifadelerden bir nesne yapar.",
  "The keys and values of the output.": "Çıktının anahtarları ve değerleri.",
  "Fills a text with values.": "Bir metni değerlerle doldurur.",
  "The text, with `{{ … }}` where values go. Lists and objects are written as JSON.":
    "Metin; değerlerin geleceği yerlerde `{{ … }}`. Listeler ve nesneler JSON olarak yazılır.",
  "Reshapes data with one JSONata expression.": "Veriyi tek bir JSONata ifadesiyle dönüştürür.",
  "JSONata as it stands, without braces. Its context (`$`) is `input`, or everything in scope where there is none.":
    "Olduğu gibi JSONata, süslü ayraç olmadan. Bağlamı (`$`) `input` değeridir, o yoksa görünen her şeydir.",
  "The value that the expression is about.": "İfadenin üzerinde çalıştığı değer.",
  "Runs JavaScript in a sandbox: no network, no files, no timers.":
    "JavaScript’i korumalı alanda çalıştırır: ağ, dosya ve zamanlayıcı yoktur.",
  "The body of a function over `input`; what it returns is the result.":
    "`input` üzerinde bir işlevin gövdesi; döndürdüğü sonuçtur.",
  "The value of `input`, copied as JSON.": "`input` değeri, JSON olarak kopyalanır.",
  "Processor time that it may take, in milliseconds, default 1000. Waiting for its turn does not count.":
    "Kullanabileceği işlemci süresi, milisaniye, varsayılan 1000. Sıra beklemek sayılmaz.",
  "Calls an HTTP address. Private addresses are refused unless the operator has opened them.":
    "Bir HTTP adresini çağırır. Özel adresler, işletmeci açmadıkça reddedilir.",
  "The address, http or https.": "Adres, http ya da https.",
  "Default `GET`, or `POST` where there is a body.": "Varsayılan `GET`, gövde varsa `POST`.",
  "Headers. An `Idempotency-Key` of run and node, the same in every attempt, is sent unless there is one here; so is a `traceparent` where the service tells traces.":
    "Üstbilgiler. Burada yoksa, çalıştırma ile düğümden oluşan ve her denemede aynı kalan bir `Idempotency-Key` gönderilir; hizmet iz bildiriyorsa `traceparent` de gönderilir.",
  "Added to the address; a list repeats its key.": "Adrese eklenir; liste, anahtarını yineler.",
  "Text goes as it is, anything else as JSON, or as a form where the content-type header says so.":
    "Metin olduğu gibi gider, geri kalanı JSON olarak; content-type üstbilgisi öyle diyorsa form olarak.",
  'Statuses that are a success: `200`, `[200, 404]`, `"2xx"`. Default `2xx`; any other fails the node.':
    'Başarı sayılan durumlar: `200`, `[200, 404]`, `"2xx"`. Varsayılan `2xx`; başka her durum düğümü başarısız kılar.',
  "Goes one of two ways.": "İki yoldan birine gider.",
  "What decides: `null`, `false`, `0`, an empty text, list or object and the text `false` count as false.":
    "Karar veren değer: `null`, `false`, `0`, boş metin, liste ya da nesne ve `false` metni yanlış sayılır.",
  "Goes the way of the first case that equals the value.": "Değere eşit olan ilk durumun yoluna gider.",
  "What is compared with the cases.": "Durumlarla karşılaştırılan değer.",
  "The handle that this case leaves by.": "Bu durumun çıktığı uç.",
  "The value to compare with; a number is never equal to a text.":
    "Karşılaştırılacak değer; bir sayı hiçbir zaman bir metne eşit değildir.",
  "The cases in order, each `{name, equals}`; the list itself cannot be an expression.":
    "Sırayla durumlar, her biri `{name, equals}`; listenin kendisi ifade olamaz.",
  "Keeps the items of a list that meet a condition.": "Bir listenin koşulu sağlayan öğelerini tutar.",
  "The list; a single value is a list of one, nothing an empty one.":
    "Liste; tek değer bir öğeli liste, hiçbir şey boş listedir.",
  "Evaluated for each item, with `item` and `index` in scope: `null`, `false`, `0`, an empty text, list or object and the text `false` count as false.":
    "Her öğe için `item` ve `index` ile hesaplanır: `null`, `false`, `0`, boş metin, liste ya da nesne ve `false` metni yanlış sayılır.",
  "Sorts, shortens, deduplicates, groups or flattens a list.":
    "Bir listeyi sıralar, kısaltır, tekilleştirir, gruplar ya da düzleştirir.",
  "What to do with it.": "Onunla ne yapılacağı.",
  "Path inside an item (`customer.name`) to sort, compare or group by; without it the item itself.":
    "Sıralamak, karşılaştırmak ya da gruplamak için öğenin içindeki yol (`customer.name`); yoksa öğenin kendisi.",
  "`limit`: how many items to keep, default 1. `flatten`: how many levels, default 1.":
    "`limit`: kaç öğe kalacağı, varsayılan 1. `flatten`: kaç düzey, varsayılan 1.",
  "`sort`: direction, default `asc`.": "`sort`: yön, varsayılan `asc`.",
  "Brings branches together and joins their data.": "Dalları bir araya getirir ve verilerini birleştirir.",
  "`combine` (default): one object, later keys win. `append`: one list. `zip`: the first items together, the second … `byKey`: objects with the same `key` become one.":
    "`combine` (varsayılan): tek nesne, sonraki anahtarlar kazanır. `append`: tek liste. `zip`: birinci öğeler bir arada, ikinciler … `byKey`: aynı `key` değerindeki nesneler bir olur.",
  "What to join, in order, usually outputs of nodes. An absent source (`null`) is left out; where a list is wanted, a single value is a list of one.":
    "Birleştirilecekler, sırayla, çoğunlukla düğüm çıktıları. Olmayan kaynak (`null`) atlanır; liste gereken yerde tek değer bir öğeli listedir.",
  "`byKey`: path of the value that belongs together, default `id`.":
    "`byKey`: ortak değerin yolu, varsayılan `id`.",
  "Runs the nodes inside it once for each item of a list.":
    "İçindeki düğümleri listenin her öğesi için bir kez çalıştırır.",
  "The list; a single value is a list of one, nothing an empty one. Inside, `item` and `index` are in scope.":
    "Liste; tek değer bir öğeli liste, hiçbir şey boş listedir. İçeride `item` ve `index` vardır.",
  "How many items are under way at once.": "Aynı anda kaç öğenin işleneceği.",
  "`fail` ends the loop at the first error, `continue` notes it in `errors` and goes on.":
    "`fail` döngüyü ilk hatada bitirir, `continue` hatayı `errors` içine yazar ve sürdürür.",
  "Runs the nodes inside it again and again while a condition holds.":
    "Koşul sağlandıkça içindeki düğümleri yeniden çalıştırır.",
  "Evaluated before each round, with `index` and the result of the round before as `item` in scope: `null`, `false`, `0`, an empty text, list or object and the text `false` count as false.":
    "Her turdan önce, `index` ve önceki turun sonucu `item` olarak hesaplanır: `null`, `false`, `0`, boş metin, liste ya da nesne ve `false` metni yanlış sayılır.",
  "The loop ends after so many rounds, whatever the condition says.":
    "Koşul ne derse desin, döngü bu kadar turdan sonra biter.",
  "Waits for a time, or until a moment. Five seconds and more make the run PAUSED: it holds no slot.":
    "Bir süre ya da bir ana kadar bekler. Beş saniye ve üstünde çalıştırma PAUSED olur: yer tutmaz.",
  "`30s`, `5m`, `1h`, `2d` or a number of seconds, at most `365d`.":
    "`30s`, `5m`, `1h`, `2d` ya da saniye sayısı, en çok `365d`.",
  "The moment to wait for, ISO 8601; UTC unless it says otherwise. One that has passed does not wait.":
    "Beklenecek an, ISO 8601; başka bir şey yazmıyorsa UTC. Geçmiş bir an beklenmez.",
  "Makes the run PAUSED until somebody approves or rejects.":
    "Biri onaylayana ya da reddedene kadar çalıştırmayı PAUSED yapar.",
  "What is to be decided.": "Neye karar verileceği.",
  "How long to wait for an answer (`2d`); without it the run waits as long as it takes.":
    "Yanıtın ne kadar bekleneceği (`2d`); yoksa çalıştırma gerektiği kadar bekler.",
  "Users, by id or e-mail address, who may answer with a key, beside admins and owners. The link works for whoever has it.":
    "Yöneticiler ve sahipler dışında anahtarla yanıt verebilecek kullanıcılar, kimlik ya da e-posta adresiyle. Bağlantı, elinde olan herkes için geçerlidir.",
  "JSON Schema of an object of texts, numbers, truth values and choices (`enum`): the page asks for them, and `data` of an answer has to fit. A rejection may leave them out.":
    "Metin, sayı, doğru/yanlış ve seçeneklerden (`enum`) oluşan bir nesnenin JSON Schema’sı: sayfa bunları sorar ve yanıtın `data` değeri uymalıdır. Ret, bunları boş bırakabilir.",
  "Who is told, through the node's credential: `{email: {to, subject, text}}` or `{http-request: {url, body}}`. What is left out of subject, text and body is made of the message and the link.":
    "Düğümün kimlik bilgisiyle kime haber verileceği: `{email: {to, subject, text}}` ya da `{http-request: {url, body}}`. Konu, metin ve gövdeden eksik olan, mesajdan ve bağlantıdan yapılır.",
  "The address, or a list. At most 100 recipients in all, also within one text.":
    "Adres ya da liste. Tek bir metin içinde de olsa toplam en çok 100 alıcı.",
  "The subject.": "Konu.",
  "The plain text.": "Düz metin.",
  "The HTML form; with `text` beside it the reader chooses.":
    "HTML biçimi; yanında `text` varsa okuyan seçer.",
  "The sender; without it the user of the credential, where that is an address.":
    "Gönderen; yoksa, adres ise kimlik bilgisinin kullanıcısı.",
  "Starts another flow of the same organization, and waits for its end unless told otherwise.":
    "Aynı kuruluşun başka bir akışını başlatır ve aksi söylenmedikçe bitmesini bekler.",
  "The flow to start.": "Başlatılacak akış.",
  "`data` of the other run.": "Öbür çalıştırmanın `data` değeri.",
  "`trigger` of the other run: `body`, `headers`, `query`, `method`.":
    "Öbür çalıştırmanın `trigger` değeri: `body`, `headers`, `query`, `method`.",
  "`trigger.body` of the other flow.": "Öbür akışın `trigger.body` değeri.",
  "`trigger.headers`.": "`trigger.headers`.",
  "`trigger.query`.": "`trigger.query`.",
  "`trigger.method`.": "`trigger.method`.",
  "Default true: this run is PAUSED until the other one ends. False: it goes on at once.":
    "Varsayılan true: bu çalıştırma öbürü bitene kadar PAUSED olur. False: hemen sürer.",
  "What becomes of the other run where this one ends while it waits: `cancel` (default) or `leave`. Without `wait` it is left.":
    "Bu çalıştırma beklerken biterse öbürüne ne olacağı: `cancel` (varsayılan) ya da `leave`. `wait` yoksa sürer.",
  "Ends the flow with a result. The first one that is reached wins.":
    "Akışı bir sonuçla bitirir. İlk ulaşılan kazanır.",
  "The run's output; anything but an object becomes `{value}`.":
    "Çalıştırmanın çıktısı; nesne olmayan her şey `{value}` olur.",
  "Of the answer to a webhook's caller, where the flow's `webhook.respond` waits for it; default 200.":
    "Akışın `webhook.respond` ayarı bekliyorsa webhook’u çağırana verilen yanıtın durumu; varsayılan 200.",
  "Of the same answer: `content-type`, `location`, `x-…` and the like. Cookies and what belongs to the connection or to the service are refused.":
    "Aynı yanıtın üstbilgileri: `content-type`, `location`, `x-…` ve benzerleri. Çerezler ile bağlantıya ya da hizmete ait olanlar reddedilir.",
  "Ends the flow FAILED with a message.": "Akışı bir mesajla FAILED olarak bitirir.",
  "The text of the run's error.": "Çalıştırmanın hata metni.",
  "Asks a language model once, without tools or memory.":
    "Bir dil modeline araçsız ve belleksiz bir kez sorar.",
  "What to ask.": "Ne sorulacağı.",
  "Standing instructions for the model.": "Model için kalıcı yönergeler.",
  "The provider's name of the model; `demo` without a credential answers offline, without a model.":
    "Sağlayıcıdaki model adı; kimlik bilgisi olmadan `demo` çevrimdışı, modelsiz yanıt verir.",
  "JSON Schema of the wanted answer; the answer is checked and parsed into `object`.":
    "İstenen yanıtın JSON Schema’sı; yanıt denetlenir ve `object` içine ayrıştırılır.",
  "Sends a message to an agent of the same organization and waits for the whole reply.":
    "Aynı kuruluşun bir temsilcisine mesaj gönderir ve yanıtın tamamını bekler.",
  "The agent.": "Temsilci.",
  "What to say.": "Ne söyleneceği.",
  "Messages with the same key go to the same session; without it each message starts a new one.":
    "Aynı anahtarlı mesajlar aynı oturuma gider; yoksa her mesaj yeni bir oturum açar.",
  "Calls one tool of an MCP server over HTTP.": "Bir MCP sunucusunun bir aracını HTTP üzerinden çağırır.",
  "The server's MCP address.": "Sunucunun MCP adresi.",
  "The tool's name.": "Aracın adı.",
  "What the tool asks for.": "Aracın istedikleri.",
  "Runs one statement on a PostgreSQL database of yours; at most 60 s, 10,000 rows and 5 MB.":
    "Kendi PostgreSQL veritabanınızda bir deyim çalıştırır; en çok 60 sn, 10.000 satır ve 5 MB.",
  "The statement, with `$1`, `$2` … where values go. Never put values into the text.":
    "Deyim; değerlerin geleceği yerlerde `$1`, `$2` … Değerleri asla metnin içine yazmayın.",
  "The values of `$1`, `$2` …; lists and objects go as JSON.":
    "`$1`, `$2` … değerleri; listeler ve nesneler JSON olarak gider.",
  "Sends a mail over SMTP.": "SMTP üzerinden e-posta gönderir.",
  "Keeps a value under a key, for every flow of the organization.":
    "Bir değeri, kuruluşun her akışı için bir anahtar altında tutar.",
  "`increment` adds `value` (default 1) to a number, in one step that no other run can come between.":
    "`increment`, bir sayıya `value` (varsayılan 1) ekler; araya başka çalıştırmanın giremeyeceği tek adımda.",
  "The key, at most 256 characters.": "Anahtar, en çok 256 karakter.",
  "`set`: any value. `increment`: the number to add.":
    "`set`: herhangi bir değer. `increment`: eklenecek sayı.",
  "`{body, headers, query, method}` of the trigger, laid over the defaults key by key.":
    "Tetikleyicinin `{body, headers, query, method}` değeri, anahtar anahtar varsayılanların üzerine konur.",
  "The values.": "Değerler.",
  "`{text}`.": "`{text}`.",
  "`{value}`, the result of the expression; `null` where it finds nothing.":
    "`{value}`, ifadenin sonucu; bir şey bulamazsa `null`.",
  "The returned object; anything else as `{value}`. `console.log` is kept with the node's record.":
    "Döndürülen nesne; geri kalanı `{value}` olarak. `console.log` düğümle birlikte saklanır.",
  '`{status, headers, body}`. The body is parsed where it is JSON, text where it is UTF-8, otherwise base64 with `bodyEncoding: "base64"` beside it.':
    '`{status, headers, body}`. Gövde JSON ise ayrıştırılır, UTF-8 ise metindir, değilse yanında `bodyEncoding: "base64"` ile base64’tür.',
  "`{result}`, true or false.": "`{result}`, true ya da false.",
  "`{value, case}`: the value and the name of the case, or `default`.":
    "`{value, case}`: değer ve durumun adı, ya da `default`.",
  "`{items}`, the kept ones in their order.": "`{items}`, kalanlar kendi sırasıyla.",
  "`{items}`; for `group` `{groups}`, an object of lists by the text of the value. Items without the value come last, or in the group `null`.":
    "`{items}`; `group` için `{groups}`, değerin metnine göre listelerden bir nesne. Değeri olmayan öğeler sona ya da `null` grubuna gider.",
  "`{value}`, an object for `combine` and a list otherwise.":
    "`{value}`, `combine` için nesne, değilse liste.",
  "`{items, errors}`: the result of each round in the order of the list (`null` where it failed) and `{index, error}` of the failed ones.":
    "`{items, errors}`: liste sırasıyla her turun sonucu (başarısızsa `null`) ve başarısızların `{index, error}` değeri.",
  "`{iterations, last}`: how many rounds there were and the result of the last one.":
    "`{iterations, last}`: kaç tur olduğu ve sonuncunun sonucu.",
  "`{waitedUntil}`, ISO 8601.": "`{waitedUntil}`, ISO 8601.",
  "`{decision, by, data}`: the answer, who gave it and what came with it.":
    "`{decision, by, data}`: yanıt, kimin verdiği ve yanında gelenler.",
  "`{runId, status, output}` of the other run; without `wait` its status at the start and no output.":
    "Öbür çalıştırmanın `{runId, status, output}` değeri; `wait` yoksa başlangıçtaki durumu, çıktısız.",
  "None: the flow has ended.": "Yok: akış bitmiştir.",
  "`{text, object, usage}`: the reply, the parsed answer where there is a `schema`, and the counted tokens.":
    "`{text, object, usage}`: yanıt, `schema` varsa ayrıştırılmış yanıt ve sayılan token’lar.",
  "`{text, sessionId}`.": "`{text, sessionId}`.",
  "`{content, structured}`: the parts of the answer and its structured form, `null` where there is none.":
    "`{content, structured}`: yanıtın parçaları ve yapılandırılmış biçimi, yoksa `null`.",
  "`{rows, rowCount}`. Timestamps are ISO 8601, `numeric` and integers beyond 2^53 are text, `bytea` is base64.":
    "`{rows, rowCount}`. Zaman damgaları ISO 8601, `numeric` ve 2^53’ten büyük tam sayılar metin, `bytea` base64’tür.",
  "`{messageId}`, the same when the node is repeated, so that a receiver can drop the second one.":
    "`{messageId}`, düğüm yinelenirse aynı kalır; alıcı ikincisini atabilsin diye.",
  "`{value}` after the operation; `null` where there is none.": "İşlemden sonraki `{value}`; yoksa `null`.",
};
