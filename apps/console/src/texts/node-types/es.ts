import type { Sentences } from "./sentences.ts";

export const sentences: Sentences = {
  "Where the flow begins. Its inputs are defaults for what the trigger leaves out.":
    "Donde empieza el flujo. Sus entradas son valores por defecto para lo que el disparador omite.",
  "Makes an object of fixed values and expressions.": "Hace un objeto de valores fijos y expresiones.",
  "The keys and values of the output.": "Las claves y los valores de la salida.",
  "Fills a text with values.": "Rellena un texto con valores.",
  "The text, with `{{ … }}` where values go. Lists and objects are written as JSON.":
    "El texto, con `{{ … }}` donde van los valores. Las listas y los objetos se escriben como JSON.",
  "Reshapes data with one JSONata expression.": "Transforma datos con una expresión JSONata.",
  "JSONata as it stands, without braces. Its context (`$`) is `input`, or everything in scope where there is none.":
    "JSONata tal cual, sin llaves. Su contexto (`$`) es `input`, o todo lo que está a la vista si no lo hay.",
  "The value that the expression is about.": "El valor del que trata la expresión.",
  "Runs JavaScript in a sandbox: no network, no files, no timers.":
    "Ejecuta JavaScript en un entorno aislado: sin red, sin archivos, sin temporizadores.",
  "The body of a function over `input`; what it returns is the result.":
    "El cuerpo de una función sobre `input`; lo que devuelve es el resultado.",
  "The value of `input`, copied as JSON.": "El valor de `input`, copiado como JSON.",
  "Processor time that it may take, in milliseconds, default 1000. Waiting for its turn does not count.":
    "Tiempo de procesador que puede usar, en milisegundos, 1000 por defecto. Esperar su turno no cuenta.",
  "Calls an HTTP address. Private addresses are refused unless the operator has opened them.":
    "Llama a una dirección HTTP. Las direcciones privadas se rechazan salvo que el operador las haya abierto.",
  "The address, http or https.": "La dirección, http o https.",
  "Default `GET`, or `POST` where there is a body.": "Por defecto `GET`, o `POST` si hay un cuerpo.",
  "Headers. An `Idempotency-Key` of run and node, the same in every attempt, is sent unless there is one here; so is a `traceparent` where the service tells traces.":
    "Cabeceras. Se envía una `Idempotency-Key` de la ejecución y el nodo, la misma en cada intento, si aquí no hay ninguna; también un `traceparent` donde el servicio emite trazas.",
  "Added to the address; a list repeats its key.": "Se añade a la dirección; una lista repite su clave.",
  "Text goes as it is, anything else as JSON, or as a form where the content-type header says so.":
    "El texto va tal cual, lo demás como JSON, o como formulario si la cabecera content-type lo dice.",
  'Statuses that are a success: `200`, `[200, 404]`, `"2xx"`. Default `2xx`; any other fails the node.':
    'Estados que son un éxito: `200`, `[200, 404]`, `"2xx"`. Por defecto `2xx`; cualquier otro hace fallar el nodo.',
  "Goes one of two ways.": "Toma uno de dos caminos.",
  "What decides: `null`, `false`, `0`, an empty text, list or object and the text `false` count as false.":
    "Lo que decide: `null`, `false`, `0`, un texto, una lista o un objeto vacío y el texto `false` cuentan como falso.",
  "Goes the way of the first case that equals the value.": "Toma el camino del primer caso igual al valor.",
  "What is compared with the cases.": "Lo que se compara con los casos.",
  "The handle that this case leaves by.": "La salida que toma este caso.",
  "The value to compare with; a number is never equal to a text.":
    "El valor con el que se compara; un número nunca es igual a un texto.",
  "The cases in order, each `{name, equals}`; the list itself cannot be an expression.":
    "Los casos en orden, cada uno `{name, equals}`; la lista misma no puede ser una expresión.",
  "Keeps the items of a list that meet a condition.":
    "Conserva los elementos de una lista que cumplen una condición.",
  "The list; a single value is a list of one, nothing an empty one.":
    "La lista; un valor solo es una lista de uno, nada una vacía.",
  "Evaluated for each item, with `item` and `index` in scope: `null`, `false`, `0`, an empty text, list or object and the text `false` count as false.":
    "Se evalúa para cada elemento, con `item` e `index`: `null`, `false`, `0`, un texto, una lista o un objeto vacío y el texto `false` cuentan como falso.",
  "Sorts, shortens, deduplicates, groups or flattens a list.":
    "Ordena, acorta, quita duplicados, agrupa o aplana una lista.",
  "What to do with it.": "Qué hacer con ella.",
  "Path inside an item (`customer.name`) to sort, compare or group by; without it the item itself.":
    "Ruta dentro de un elemento (`customer.name`) por la que ordenar, comparar o agrupar; sin ella, el elemento mismo.",
  "`limit`: how many items to keep, default 1. `flatten`: how many levels, default 1.":
    "`limit`: cuántos elementos conservar, 1 por defecto. `flatten`: cuántos niveles, 1 por defecto.",
  "`sort`: direction, default `asc`.": "`sort`: sentido, `asc` por defecto.",
  "Brings branches together and joins their data.": "Reúne ramas y junta sus datos.",
  "`combine` (default): one object, later keys win. `append`: one list. `zip`: the first items together, the second … `byKey`: objects with the same `key` become one.":
    "`combine` (por defecto): un objeto, ganan las últimas claves. `append`: una lista. `zip`: los primeros elementos juntos, los segundos … `byKey`: los objetos con el mismo `key` se vuelven uno.",
  "What to join, in order, usually outputs of nodes. An absent source (`null`) is left out; where a list is wanted, a single value is a list of one.":
    "Lo que se junta, en orden, normalmente salidas de nodos. Una fuente ausente (`null`) se omite; donde hace falta una lista, un valor solo es una lista de uno.",
  "`byKey`: path of the value that belongs together, default `id`.":
    "`byKey`: ruta del valor común, `id` por defecto.",
  "Runs the nodes inside it once for each item of a list.":
    "Ejecuta los nodos que contiene una vez por cada elemento de una lista.",
  "The list; a single value is a list of one, nothing an empty one. Inside, `item` and `index` are in scope.":
    "La lista; un valor solo es una lista de uno, nada una vacía. Dentro hay `item` e `index`.",
  "How many items are under way at once.": "Cuántos elementos están en curso a la vez.",
  "`fail` ends the loop at the first error, `continue` notes it in `errors` and goes on.":
    "`fail` termina el bucle al primer error, `continue` lo anota en `errors` y sigue.",
  "Runs the nodes inside it again and again while a condition holds.":
    "Ejecuta los nodos que contiene una y otra vez mientras se cumpla una condición.",
  "Evaluated before each round, with `index` and the result of the round before as `item` in scope: `null`, `false`, `0`, an empty text, list or object and the text `false` count as false.":
    "Se evalúa antes de cada vuelta, con `index` y el resultado de la vuelta anterior como `item`: `null`, `false`, `0`, un texto, una lista o un objeto vacío y el texto `false` cuentan como falso.",
  "The loop ends after so many rounds, whatever the condition says.":
    "El bucle termina tras tantas vueltas, diga lo que diga la condición.",
  "Waits for a time, or until a moment. Five seconds and more make the run PAUSED: it holds no slot.":
    "Espera un tiempo, o hasta un momento. Desde cinco segundos la ejecución queda PAUSED: no ocupa ningún puesto.",
  "`30s`, `5m`, `1h`, `2d` or a number of seconds, at most `365d`.":
    "`30s`, `5m`, `1h`, `2d` o un número de segundos, como máximo `365d`.",
  "The moment to wait for, ISO 8601; UTC unless it says otherwise. One that has passed does not wait.":
    "El momento que se espera, ISO 8601; en UTC si no dice otra cosa. Uno que ya pasó no espera.",
  "Makes the run PAUSED until somebody approves or rejects.":
    "Deja la ejecución en PAUSED hasta que alguien apruebe o rechace.",
  "What is to be decided.": "Lo que hay que decidir.",
  "How long to wait for an answer (`2d`); without it the run waits as long as it takes.":
    "Cuánto esperar una respuesta (`2d`); sin ello, la ejecución espera lo que haga falta.",
  "Users, by id or e-mail address, who may answer with a key, beside admins and owners. The link works for whoever has it.":
    "Usuarios, por id o correo electrónico, que pueden responder con una clave, además de administradores y propietarios. El enlace vale para quien lo tenga.",
  "JSON Schema of an object of texts, numbers, truth values and choices (`enum`): the page asks for them, and `data` of an answer has to fit. A rejection may leave them out.":
    "JSON Schema de un objeto de textos, números, valores lógicos y opciones (`enum`): la página los pide, y `data` de una respuesta tiene que ajustarse. Un rechazo puede omitirlos.",
  "Who is told, through the node's credential: `{email: {to, subject, text}}` or `{http-request: {url, body}}`. What is left out of subject, text and body is made of the message and the link.":
    "A quién se avisa, con la credencial del nodo: `{email: {to, subject, text}}` o `{http-request: {url, body}}`. Lo que falte de asunto, texto y cuerpo se hace del mensaje y el enlace.",
  "The address, or a list. At most 100 recipients in all, also within one text.":
    "La dirección, o una lista. Como máximo 100 destinatarios en total, también dentro de un texto.",
  "The subject.": "El asunto.",
  "The plain text.": "El texto sin formato.",
  "The HTML form; with `text` beside it the reader chooses.":
    "La versión HTML; con `text` al lado, elige el lector.",
  "The sender; without it the user of the credential, where that is an address.":
    "El remitente; sin él, el usuario de la credencial, si es una dirección.",
  "Starts another flow of the same organization, and waits for its end unless told otherwise.":
    "Inicia otro flujo de la misma organización y espera a que termine, salvo que se diga otra cosa.",
  "The flow to start.": "El flujo que se inicia.",
  "`data` of the other run.": "`data` de la otra ejecución.",
  "`trigger` of the other run: `body`, `headers`, `query`, `method`.":
    "`trigger` de la otra ejecución: `body`, `headers`, `query`, `method`.",
  "`trigger.body` of the other flow.": "`trigger.body` del otro flujo.",
  "`trigger.headers`.": "`trigger.headers`.",
  "`trigger.query`.": "`trigger.query`.",
  "`trigger.method`.": "`trigger.method`.",
  "Default true: this run is PAUSED until the other one ends. False: it goes on at once.":
    "Por defecto true: esta ejecución queda PAUSED hasta que termine la otra. False: sigue enseguida.",
  "What becomes of the other run where this one ends while it waits: `cancel` (default) or `leave`. Without `wait` it is left.":
    "Qué pasa con la otra ejecución si esta termina mientras espera: `cancel` (por defecto) o `leave`. Sin `wait`, sigue.",
  "Ends the flow with a result. The first one that is reached wins.":
    "Termina el flujo con un resultado. Gana el primero al que se llega.",
  "The run's output; anything but an object becomes `{value}`.":
    "La salida de la ejecución; lo que no sea un objeto se vuelve `{value}`.",
  "Of the answer to a webhook's caller, where the flow's `webhook.respond` waits for it; default 200.":
    "De la respuesta a quien llama al webhook, donde `webhook.respond` del flujo la espera; 200 por defecto.",
  "Of the same answer: `content-type`, `location`, `x-…` and the like. Cookies and what belongs to the connection or to the service are refused.":
    "De la misma respuesta: `content-type`, `location`, `x-…` y similares. Se rechazan las cookies y lo que es de la conexión o del servicio.",
  "Ends the flow FAILED with a message.": "Termina el flujo en FAILED con un mensaje.",
  "The text of the run's error.": "El texto del error de la ejecución.",
  "Asks a language model once, without tools or memory.":
    "Pregunta una vez a un modelo de lenguaje, sin herramientas ni memoria.",
  "What to ask.": "Qué preguntar.",
  "Standing instructions for the model.": "Instrucciones permanentes para el modelo.",
  "The provider's name of the model; `demo` without a credential answers offline, without a model.":
    "El nombre del modelo en su proveedor; `demo` sin credencial responde sin conexión, sin modelo.",
  "JSON Schema of the wanted answer; the answer is checked and parsed into `object`.":
    "JSON Schema de la respuesta deseada; la respuesta se comprueba y se analiza en `object`.",
  "Sends a message to an agent of the same organization and waits for the whole reply.":
    "Envía un mensaje a un agente de la misma organización y espera la respuesta entera.",
  "The agent.": "El agente.",
  "What to say.": "Qué decir.",
  "Messages with the same key go to the same session; without it each message starts a new one.":
    "Los mensajes con la misma clave van a la misma sesión; sin ella, cada mensaje abre una nueva.",
  "Calls one tool of an MCP server over HTTP.": "Llama a una herramienta de un servidor MCP por HTTP.",
  "The server's MCP address.": "La dirección MCP del servidor.",
  "The tool's name.": "El nombre de la herramienta.",
  "What the tool asks for.": "Lo que pide la herramienta.",
  "Runs one statement on a PostgreSQL database of yours; at most 60 s, 10,000 rows and 5 MB.":
    "Ejecuta una sentencia en una base PostgreSQL suya; como máximo 60 s, 10.000 filas y 5 MB.",
  "The statement, with `$1`, `$2` … where values go. Never put values into the text.":
    "La sentencia, con `$1`, `$2` … donde van los valores. Nunca ponga valores en el texto.",
  "The values of `$1`, `$2` …; lists and objects go as JSON.":
    "Los valores de `$1`, `$2` …; las listas y los objetos van como JSON.",
  "Sends a mail over SMTP.": "Envía un correo por SMTP.",
  "Keeps a value under a key, for every flow of the organization.":
    "Guarda un valor bajo una clave, para todos los flujos de la organización.",
  "`increment` adds `value` (default 1) to a number, in one step that no other run can come between.":
    "`increment` suma `value` (1 por defecto) a un número, en un paso en el que no se cuela otra ejecución.",
  "The key, at most 256 characters.": "La clave, como máximo 256 caracteres.",
  "`set`: any value. `increment`: the number to add.":
    "`set`: cualquier valor. `increment`: el número que se suma.",
  "`{body, headers, query, method}` of the trigger, laid over the defaults key by key.":
    "`{body, headers, query, method}` del disparador, puestos clave por clave sobre los valores por defecto.",
  "The values.": "Los valores.",
  "`{text}`.": "`{text}`.",
  "`{value}`, the result of the expression; `null` where it finds nothing.":
    "`{value}`, el resultado de la expresión; `null` donde no encuentra nada.",
  "The returned object; anything else as `{value}`. `console.log` is kept with the node's record.":
    "El objeto devuelto; lo demás como `{value}`. `console.log` se guarda con el nodo.",
  '`{status, headers, body}`. The body is parsed where it is JSON, text where it is UTF-8, otherwise base64 with `bodyEncoding: "base64"` beside it.':
    '`{status, headers, body}`. El cuerpo se analiza si es JSON, es texto si es UTF-8, y si no base64 con `bodyEncoding: "base64"` al lado.',
  "`{result}`, true or false.": "`{result}`, true o false.",
  "`{value, case}`: the value and the name of the case, or `default`.":
    "`{value, case}`: el valor y el nombre del caso, o `default`.",
  "`{items}`, the kept ones in their order.": "`{items}`, los que quedan, en su orden.",
  "`{items}`; for `group` `{groups}`, an object of lists by the text of the value. Items without the value come last, or in the group `null`.":
    "`{items}`; con `group` `{groups}`, un objeto de listas según el texto del valor. Los elementos sin el valor van al final, o en el grupo `null`.",
  "`{value}`, an object for `combine` and a list otherwise.":
    "`{value}`, un objeto con `combine` y si no una lista.",
  "`{items, errors}`: the result of each round in the order of the list (`null` where it failed) and `{index, error}` of the failed ones.":
    "`{items, errors}`: el resultado de cada vuelta en el orden de la lista (`null` si falló) y `{index, error}` de las que fallaron.",
  "`{iterations, last}`: how many rounds there were and the result of the last one.":
    "`{iterations, last}`: cuántas vueltas hubo y el resultado de la última.",
  "`{waitedUntil}`, ISO 8601.": "`{waitedUntil}`, ISO 8601.",
  "`{decision, by, data}`: the answer, who gave it and what came with it.":
    "`{decision, by, data}`: la respuesta, quién la dio y lo que vino con ella.",
  "`{runId, status, output}` of the other run; without `wait` its status at the start and no output.":
    "`{runId, status, output}` de la otra ejecución; sin `wait`, su estado al empezar y ninguna salida.",
  "None: the flow has ended.": "Ninguna: el flujo ha terminado.",
  "`{text, object, usage}`: the reply, the parsed answer where there is a `schema`, and the counted tokens.":
    "`{text, object, usage}`: la respuesta, la respuesta analizada si hay un `schema`, y los tokens contados.",
  "`{text, sessionId}`.": "`{text, sessionId}`.",
  "`{content, structured}`: the parts of the answer and its structured form, `null` where there is none.":
    "`{content, structured}`: las partes de la respuesta y su forma estructurada, `null` si no la hay.",
  "`{rows, rowCount}`. Timestamps are ISO 8601, `numeric` and integers beyond 2^53 are text, `bytea` is base64.":
    "`{rows, rowCount}`. Las fechas son ISO 8601, `numeric` y los enteros de más de 2^53 son texto, `bytea` es base64.",
  "`{messageId}`, the same when the node is repeated, so that a receiver can drop the second one.":
    "`{messageId}`, el mismo cuando el nodo se repite, para que quien recibe pueda descartar el segundo.",
  "`{value}` after the operation; `null` where there is none.":
    "`{value}` tras la operación; `null` si no lo hay.",
};
