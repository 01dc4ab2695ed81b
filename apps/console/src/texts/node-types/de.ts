import type { Sentences } from "./sentences.ts";

export const sentences: Sentences = {
  "Where the flow begins. Its inputs are defaults for what the trigger leaves out.":
    "Hier beginnt der Ablauf. Seine Eingaben sind Vorgaben für das, was der Auslöser weglässt.",
  "Makes an object of fixed values and expressions.": "Macht ein Objekt aus festen Werten und Ausdrücken.",
  "The keys and values of the output.": "Die Schlüssel und Werte der Ausgabe.",
  "Fills a text with values.": "Füllt einen Text mit Werten.",
  "The text, with `{{ … }}` where values go. Lists and objects are written as JSON.":
    "Der Text, mit `{{ … }}` an den Stellen für Werte. Listen und Objekte werden als JSON geschrieben.",
  "Reshapes data with one JSONata expression.": "Formt Daten mit einem JSONata-Ausdruck um.",
  "JSONata as it stands, without braces. Its context (`$`) is `input`, or everything in scope where there is none.":
    "JSONata, wie es dasteht, ohne Klammern. Sein Kontext (`$`) ist `input`, oder alles, was es gibt, wenn der fehlt.",
  "The value that the expression is about.": "Der Wert, um den es in dem Ausdruck geht.",
  "Runs JavaScript in a sandbox: no network, no files, no timers.":
    "Führt JavaScript in einer Sandbox aus: kein Netz, keine Dateien, keine Timer.",
  "The body of a function over `input`; what it returns is the result.":
    "Der Rumpf einer Funktion über `input`; was sie zurückgibt, ist das Ergebnis.",
  "The value of `input`, copied as JSON.": "Der Wert von `input`, als JSON kopiert.",
  "Processor time that it may take, in milliseconds, default 1000. Waiting for its turn does not count.":
    "Rechenzeit, die er verbrauchen darf, in Millisekunden, sonst 1000. Das Warten, bis er an der Reihe ist, zählt nicht.",
  "Calls an HTTP address. Private addresses are refused unless the operator has opened them.":
    "Ruft eine HTTP-Adresse auf. Private Adressen werden abgelehnt, wenn der Betreiber sie nicht freigegeben hat.",
  "The address, http or https.": "Die Adresse, http oder https.",
  "Default `GET`, or `POST` where there is a body.": "Sonst `GET`, oder `POST`, wenn es einen Body gibt.",
  "Headers. An `Idempotency-Key` of run and node, the same in every attempt, is sent unless there is one here; so is a `traceparent` where the service tells traces.":
    "Header. Ein `Idempotency-Key` aus Lauf und Knoten, in jedem Versuch derselbe, wird gesendet, wenn hier keiner steht; ebenso `traceparent`, wenn der Dienst Traces meldet.",
  "Added to the address; a list repeats its key.":
    "Wird an die Adresse angehängt; eine Liste wiederholt ihren Schlüssel.",
  "Text goes as it is, anything else as JSON, or as a form where the content-type header says so.":
    "Text geht, wie er ist, alles andere als JSON, oder als Formular, wenn der Header content-type das sagt.",
  'Statuses that are a success: `200`, `[200, 404]`, `"2xx"`. Default `2xx`; any other fails the node.':
    'Statuscodes, die ein Erfolg sind: `200`, `[200, 404]`, `"2xx"`. Sonst `2xx`; jeder andere lässt den Knoten fehlschlagen.',
  "Goes one of two ways.": "Geht einen von zwei Wegen.",
  "What decides: `null`, `false`, `0`, an empty text, list or object and the text `false` count as false.":
    "Was entscheidet: `null`, `false`, `0`, ein leerer Text, eine leere Liste, ein leeres Objekt und der Text `false` gelten als falsch.",
  "Goes the way of the first case that equals the value.":
    "Geht den Weg des ersten Falls, der dem Wert gleicht.",
  "What is compared with the cases.": "Was mit den Fällen verglichen wird.",
  "The handle that this case leaves by.": "Der Ausgang, den dieser Fall nimmt.",
  "The value to compare with; a number is never equal to a text.":
    "Der Wert, mit dem verglichen wird; eine Zahl ist nie gleich einem Text.",
  "The cases in order, each `{name, equals}`; the list itself cannot be an expression.":
    "Die Fälle der Reihe nach, je `{name, equals}`; die Liste selbst kann kein Ausdruck sein.",
  "Keeps the items of a list that meet a condition.":
    "Behält die Einträge einer Liste, die eine Bedingung erfüllen.",
  "The list; a single value is a list of one, nothing an empty one.":
    "Die Liste; ein einzelner Wert ist eine Liste mit einem Eintrag, nichts eine leere.",
  "Evaluated for each item, with `item` and `index` in scope: `null`, `false`, `0`, an empty text, list or object and the text `false` count as false.":
    "Wird für jeden Eintrag ausgewertet, mit `item` und `index`: `null`, `false`, `0`, ein leerer Text, eine leere Liste, ein leeres Objekt und der Text `false` gelten als falsch.",
  "Sorts, shortens, deduplicates, groups or flattens a list.":
    "Sortiert, kürzt, gruppiert oder glättet eine Liste oder entfernt Doppeltes.",
  "What to do with it.": "Was mit ihr geschehen soll.",
  "Path inside an item (`customer.name`) to sort, compare or group by; without it the item itself.":
    "Pfad in einem Eintrag (`customer.name`), nach dem sortiert, verglichen oder gruppiert wird; ohne ihn der Eintrag selbst.",
  "`limit`: how many items to keep, default 1. `flatten`: how many levels, default 1.":
    "`limit`: wie viele Einträge bleiben, sonst 1. `flatten`: wie viele Ebenen, sonst 1.",
  "`sort`: direction, default `asc`.": "`sort`: Richtung, sonst `asc`.",
  "Brings branches together and joins their data.": "Führt Zweige zusammen und verbindet ihre Daten.",
  "`combine` (default): one object, later keys win. `append`: one list. `zip`: the first items together, the second … `byKey`: objects with the same `key` become one.":
    "`combine` (Vorgabe): ein Objekt, spätere Schlüssel gewinnen. `append`: eine Liste. `zip`: die ersten Einträge zusammen, die zweiten … `byKey`: Objekte mit gleichem `key` werden eines.",
  "What to join, in order, usually outputs of nodes. An absent source (`null`) is left out; where a list is wanted, a single value is a list of one.":
    "Was verbunden wird, der Reihe nach, meist Ausgaben von Knoten. Eine fehlende Quelle (`null`) wird ausgelassen; wo eine Liste gebraucht wird, ist ein einzelner Wert eine Liste mit einem Eintrag.",
  "`byKey`: path of the value that belongs together, default `id`.":
    "`byKey`: Pfad des Werts, der zusammengehört, sonst `id`.",
  "Runs the nodes inside it once for each item of a list.":
    "Führt die Knoten darin für jeden Eintrag einer Liste einmal aus.",
  "The list; a single value is a list of one, nothing an empty one. Inside, `item` and `index` are in scope.":
    "Die Liste; ein einzelner Wert ist eine Liste mit einem Eintrag, nichts eine leere. Darin gibt es `item` und `index`.",
  "How many items are under way at once.": "Wie viele Einträge gleichzeitig bearbeitet werden.",
  "`fail` ends the loop at the first error, `continue` notes it in `errors` and goes on.":
    "`fail` beendet die Schleife beim ersten Fehler, `continue` vermerkt ihn in `errors` und geht weiter.",
  "Runs the nodes inside it again and again while a condition holds.":
    "Führt die Knoten darin immer wieder aus, solange eine Bedingung gilt.",
  "Evaluated before each round, with `index` and the result of the round before as `item` in scope: `null`, `false`, `0`, an empty text, list or object and the text `false` count as false.":
    "Wird vor jeder Runde ausgewertet, mit `index` und dem Ergebnis der vorigen Runde als `item`: `null`, `false`, `0`, ein leerer Text, eine leere Liste, ein leeres Objekt und der Text `false` gelten als falsch.",
  "The loop ends after so many rounds, whatever the condition says.":
    "Nach so vielen Runden endet die Schleife, was auch die Bedingung sagt.",
  "Waits for a time, or until a moment. Five seconds and more make the run PAUSED: it holds no slot.":
    "Wartet eine Zeit lang oder bis zu einem Zeitpunkt. Ab fünf Sekunden ist der Lauf PAUSED: Er belegt keinen Platz.",
  "`30s`, `5m`, `1h`, `2d` or a number of seconds, at most `365d`.":
    "`30s`, `5m`, `1h`, `2d` oder eine Zahl von Sekunden, höchstens `365d`.",
  "The moment to wait for, ISO 8601; UTC unless it says otherwise. One that has passed does not wait.":
    "Der Zeitpunkt, auf den gewartet wird, ISO 8601; UTC, wenn nichts anderes dasteht. Auf einen vergangenen wird nicht gewartet.",
  "Makes the run PAUSED until somebody approves or rejects.":
    "Macht den Lauf PAUSED, bis jemand zustimmt oder ablehnt.",
  "What is to be decided.": "Was zu entscheiden ist.",
  "How long to wait for an answer (`2d`); without it the run waits as long as it takes.":
    "Wie lange auf eine Antwort gewartet wird (`2d`); ohne das, so lange es dauert.",
  "Users, by id or e-mail address, who may answer with a key, beside admins and owners. The link works for whoever has it.":
    "Benutzer, mit ID oder E-Mail-Adresse, die neben Admins und Ownern mit einem Schlüssel antworten dürfen. Der Link gilt für jeden, der ihn hat.",
  "JSON Schema of an object of texts, numbers, truth values and choices (`enum`): the page asks for them, and `data` of an answer has to fit. A rejection may leave them out.":
    "JSON Schema eines Objekts aus Texten, Zahlen, Wahrheitswerten und Auswahlen (`enum`): Die Seite fragt danach, und `data` einer Antwort muss passen. Eine Ablehnung darf sie weglassen.",
  "Who is told, through the node's credential: `{email: {to, subject, text}}` or `{http-request: {url, body}}`. What is left out of subject, text and body is made of the message and the link.":
    "Wer es erfährt, über die Zugangsdaten des Knotens: `{email: {to, subject, text}}` oder `{http-request: {url, body}}`. Was von Betreff, Text und Body fehlt, wird aus der Nachricht und dem Link gemacht.",
  "The address, or a list. At most 100 recipients in all, also within one text.":
    "Die Adresse, oder eine Liste. Höchstens 100 Empfänger insgesamt, auch in einem Text.",
  "The subject.": "Der Betreff.",
  "The plain text.": "Der reine Text.",
  "The HTML form; with `text` beside it the reader chooses.":
    "Die HTML-Fassung; mit `text` daneben wählt der Leser.",
  "The sender; without it the user of the credential, where that is an address.":
    "Der Absender; ohne ihn der Benutzer der Zugangsdaten, wenn das eine Adresse ist.",
  "Starts another flow of the same organization, and waits for its end unless told otherwise.":
    "Startet einen anderen Ablauf derselben Organisation und wartet auf sein Ende, wenn nichts anderes gesagt ist.",
  "The flow to start.": "Der Ablauf, der gestartet wird.",
  "`data` of the other run.": "`data` des anderen Laufs.",
  "`trigger` of the other run: `body`, `headers`, `query`, `method`.":
    "`trigger` des anderen Laufs: `body`, `headers`, `query`, `method`.",
  "`trigger.body` of the other flow.": "`trigger.body` des anderen Ablaufs.",
  "`trigger.headers`.": "`trigger.headers`.",
  "`trigger.query`.": "`trigger.query`.",
  "`trigger.method`.": "`trigger.method`.",
  "Default true: this run is PAUSED until the other one ends. False: it goes on at once.":
    "Sonst true: Dieser Lauf ist PAUSED, bis der andere endet. False: Er geht sofort weiter.",
  "What becomes of the other run where this one ends while it waits: `cancel` (default) or `leave`. Without `wait` it is left.":
    "Was aus dem anderen Lauf wird, wenn dieser endet, während er wartet: `cancel` (Vorgabe) oder `leave`. Ohne `wait` geht der andere weiter.",
  "Ends the flow with a result. The first one that is reached wins.":
    "Beendet den Ablauf mit einem Ergebnis. Der erste, der erreicht wird, gewinnt.",
  "The run's output; anything but an object becomes `{value}`.":
    "Die Ausgabe des Laufs; was kein Objekt ist, wird zu `{value}`.",
  "Of the answer to a webhook's caller, where the flow's `webhook.respond` waits for it; default 200.":
    "Der Antwort an den, der den Webhook aufruft, wenn `webhook.respond` des Ablaufs auf sie wartet; sonst 200.",
  "Of the same answer: `content-type`, `location`, `x-…` and the like. Cookies and what belongs to the connection or to the service are refused.":
    "Derselben Antwort: `content-type`, `location`, `x-…` und Ähnliches. Cookies und was zur Verbindung oder zum Dienst gehört, wird abgelehnt.",
  "Ends the flow FAILED with a message.": "Beendet den Ablauf als FAILED mit einer Nachricht.",
  "The text of the run's error.": "Der Text für den Fehler des Laufs.",
  "Asks a language model once, without tools or memory.":
    "Fragt ein Sprachmodell einmal, ohne Werkzeuge oder Gedächtnis.",
  "What to ask.": "Was gefragt wird.",
  "Standing instructions for the model.": "Dauerhafte Anweisungen für das Modell.",
  "The provider's name of the model; `demo` without a credential answers offline, without a model.":
    "Der Name des Modells beim Anbieter; `demo` ohne Zugangsdaten antwortet offline, ohne Modell.",
  "JSON Schema of the wanted answer; the answer is checked and parsed into `object`.":
    "JSON Schema der gewünschten Antwort; die Antwort wird geprüft und in `object` zerlegt.",
  "Sends a message to an agent of the same organization and waits for the whole reply.":
    "Sendet einem Agenten derselben Organisation eine Nachricht und wartet auf die ganze Antwort.",
  "The agent.": "Der Agent.",
  "What to say.": "Was gesagt wird.",
  "Messages with the same key go to the same session; without it each message starts a new one.":
    "Nachrichten mit demselben Schlüssel gehen an dieselbe Sitzung; ohne ihn beginnt jede Nachricht eine neue.",
  "Calls one tool of an MCP server over HTTP.": "Ruft ein Werkzeug eines MCP-Servers über HTTP auf.",
  "The server's MCP address.": "Die MCP-Adresse des Servers.",
  "The tool's name.": "Der Name des Werkzeugs.",
  "What the tool asks for.": "Was das Werkzeug verlangt.",
  "Runs one statement on a PostgreSQL database of yours; at most 60 s, 10,000 rows and 5 MB.":
    "Führt eine Anweisung in einer eigenen PostgreSQL-Datenbank aus; höchstens 60 s, 10.000 Zeilen und 5 MB.",
  "The statement, with `$1`, `$2` … where values go. Never put values into the text.":
    "Die Anweisung, mit `$1`, `$2` … an den Stellen für Werte. Werte nie in den Text schreiben.",
  "The values of `$1`, `$2` …; lists and objects go as JSON.":
    "Die Werte von `$1`, `$2` …; Listen und Objekte gehen als JSON.",
  "Sends a mail over SMTP.": "Sendet eine E-Mail über SMTP.",
  "Keeps a value under a key, for every flow of the organization.":
    "Behält einen Wert unter einem Schlüssel, für alle Abläufe der Organisation.",
  "`increment` adds `value` (default 1) to a number, in one step that no other run can come between.":
    "`increment` addiert `value` (sonst 1) zu einer Zahl, in einem Schritt, zwischen den kein anderer Lauf kommt.",
  "The key, at most 256 characters.": "Der Schlüssel, höchstens 256 Zeichen.",
  "`set`: any value. `increment`: the number to add.":
    "`set`: ein beliebiger Wert. `increment`: die Zahl, die addiert wird.",
  "`{body, headers, query, method}` of the trigger, laid over the defaults key by key.":
    "`{body, headers, query, method}` des Auslösers, Schlüssel für Schlüssel über die Vorgaben gelegt.",
  "The values.": "Die Werte.",
  "`{text}`.": "`{text}`.",
  "`{value}`, the result of the expression; `null` where it finds nothing.":
    "`{value}`, das Ergebnis des Ausdrucks; `null`, wenn er nichts findet.",
  "The returned object; anything else as `{value}`. `console.log` is kept with the node's record.":
    "Das zurückgegebene Objekt; alles andere als `{value}`. `console.log` wird beim Knoten aufbewahrt.",
  '`{status, headers, body}`. The body is parsed where it is JSON, text where it is UTF-8, otherwise base64 with `bodyEncoding: "base64"` beside it.':
    '`{status, headers, body}`. Der Body wird zerlegt, wenn er JSON ist, ist Text, wenn er UTF-8 ist, sonst base64 mit `bodyEncoding: "base64"` daneben.',
  "`{result}`, true or false.": "`{result}`, true oder false.",
  "`{value, case}`: the value and the name of the case, or `default`.":
    "`{value, case}`: der Wert und der Name des Falls, oder `default`.",
  "`{items}`, the kept ones in their order.": "`{items}`, die behaltenen in ihrer Reihenfolge.",
  "`{items}`; for `group` `{groups}`, an object of lists by the text of the value. Items without the value come last, or in the group `null`.":
    "`{items}`; bei `group` `{groups}`, ein Objekt aus Listen nach dem Text des Werts. Einträge ohne den Wert kommen zuletzt, oder in die Gruppe `null`.",
  "`{value}`, an object for `combine` and a list otherwise.":
    "`{value}`, bei `combine` ein Objekt, sonst eine Liste.",
  "`{items, errors}`: the result of each round in the order of the list (`null` where it failed) and `{index, error}` of the failed ones.":
    "`{items, errors}`: das Ergebnis jeder Runde in der Reihenfolge der Liste (`null`, wenn sie fehlschlug) und `{index, error}` der fehlgeschlagenen.",
  "`{iterations, last}`: how many rounds there were and the result of the last one.":
    "`{iterations, last}`: wie viele Runden es waren, und das Ergebnis der letzten.",
  "`{waitedUntil}`, ISO 8601.": "`{waitedUntil}`, ISO 8601.",
  "`{decision, by, data}`: the answer, who gave it and what came with it.":
    "`{decision, by, data}`: die Antwort, wer sie gab und was mit ihr kam.",
  "`{runId, status, output}` of the other run; without `wait` its status at the start and no output.":
    "`{runId, status, output}` des anderen Laufs; ohne `wait` sein Status beim Start und keine Ausgabe.",
  "None: the flow has ended.": "Keine: Der Ablauf ist zu Ende.",
  "`{text, object, usage}`: the reply, the parsed answer where there is a `schema`, and the counted tokens.":
    "`{text, object, usage}`: die Antwort, die zerlegte Antwort, wenn es ein `schema` gibt, und die gezählten Token.",
  "`{text, sessionId}`.": "`{text, sessionId}`.",
  "`{content, structured}`: the parts of the answer and its structured form, `null` where there is none.":
    "`{content, structured}`: die Teile der Antwort und ihre strukturierte Form, `null`, wenn es keine gibt.",
  "`{rows, rowCount}`. Timestamps are ISO 8601, `numeric` and integers beyond 2^53 are text, `bytea` is base64.":
    "`{rows, rowCount}`. Zeitstempel sind ISO 8601, `numeric` und ganze Zahlen über 2^53 sind Text, `bytea` ist base64.",
  "`{messageId}`, the same when the node is repeated, so that a receiver can drop the second one.":
    "`{messageId}`, dieselbe, wenn der Knoten wiederholt wird, damit ein Empfänger die zweite verwerfen kann.",
  "`{value}` after the operation; `null` where there is none.":
    "`{value}` nach der Operation; `null`, wenn es keinen gibt.",
};
