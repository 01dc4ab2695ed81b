import type { Sentences } from "./sentences.ts";

export const sentences: Sentences = {
  "Where the flow begins. Its inputs are defaults for what the trigger leaves out.":
    "Là où le flux commence. Ses entrées sont des valeurs par défaut pour ce que le déclencheur omet.",
  "Makes an object of fixed values and expressions.": "Fait un objet de valeurs fixes et d’expressions.",
  "The keys and values of the output.": "Les clés et les valeurs de la sortie.",
  "Fills a text with values.": "Remplit un texte avec des valeurs.",
  "The text, with `{{ … }}` where values go. Lists and objects are written as JSON.":
    "Le texte, avec `{{ … }}` là où vont les valeurs. Les listes et les objets sont écrits en JSON.",
  "Reshapes data with one JSONata expression.": "Transforme des données avec une expression JSONata.",
  "JSONata as it stands, without braces. Its context (`$`) is `input`, or everything in scope where there is none.":
    "JSONata tel quel, sans accolades. Son contexte (`$`) est `input`, ou tout ce qui est visible s’il n’y en a pas.",
  "The value that the expression is about.": "La valeur sur laquelle porte l’expression.",
  "Runs JavaScript in a sandbox: no network, no files, no timers.":
    "Exécute du JavaScript dans un bac à sable : pas de réseau, pas de fichiers, pas de minuteurs.",
  "The body of a function over `input`; what it returns is the result.":
    "Le corps d’une fonction sur `input` ; ce qu’elle renvoie est le résultat.",
  "The value of `input`, copied as JSON.": "La valeur de `input`, copiée en JSON.",
  "Processor time that it may take, in milliseconds, default 1000. Waiting for its turn does not count.":
    "Temps de processeur autorisé, en millisecondes, 1000 par défaut. L’attente de son tour ne compte pas.",
  "Calls an HTTP address. Private addresses are refused unless the operator has opened them.":
    "Appelle une adresse HTTP. Les adresses privées sont refusées sauf si l’exploitant les a ouvertes.",
  "The address, http or https.": "L’adresse, http ou https.",
  "Default `GET`, or `POST` where there is a body.": "Par défaut `GET`, ou `POST` s’il y a un corps.",
  "Headers. An `Idempotency-Key` of run and node, the same in every attempt, is sent unless there is one here; so is a `traceparent` where the service tells traces.":
    "En-têtes. Une `Idempotency-Key` formée de l’exécution et du nœud, la même à chaque tentative, est envoyée s’il n’y en a pas ici ; de même un `traceparent` là où le service émet des traces.",
  "Added to the address; a list repeats its key.": "Ajouté à l’adresse ; une liste répète sa clé.",
  "Text goes as it is, anything else as JSON, or as a form where the content-type header says so.":
    "Un texte part tel quel, le reste en JSON, ou en formulaire si l’en-tête content-type le dit.",
  'Statuses that are a success: `200`, `[200, 404]`, `"2xx"`. Default `2xx`; any other fails the node.':
    'Statuts qui sont un succès : `200`, `[200, 404]`, `"2xx"`. Par défaut `2xx` ; tout autre fait échouer le nœud.',
  "Goes one of two ways.": "Prend l’un de deux chemins.",
  "What decides: `null`, `false`, `0`, an empty text, list or object and the text `false` count as false.":
    "Ce qui décide : `null`, `false`, `0`, un texte, une liste ou un objet vide et le texte `false` comptent comme faux.",
  "Goes the way of the first case that equals the value.": "Prend le chemin du premier cas égal à la valeur.",
  "What is compared with the cases.": "Ce qui est comparé aux cas.",
  "The handle that this case leaves by.": "La sortie que prend ce cas.",
  "The value to compare with; a number is never equal to a text.":
    "La valeur à comparer ; un nombre n’est jamais égal à un texte.",
  "The cases in order, each `{name, equals}`; the list itself cannot be an expression.":
    "Les cas dans l’ordre, chacun `{name, equals}` ; la liste elle-même ne peut pas être une expression.",
  "Keeps the items of a list that meet a condition.":
    "Garde les éléments d’une liste qui remplissent une condition.",
  "The list; a single value is a list of one, nothing an empty one.":
    "La liste ; une valeur seule est une liste d’un élément, rien une liste vide.",
  "Evaluated for each item, with `item` and `index` in scope: `null`, `false`, `0`, an empty text, list or object and the text `false` count as false.":
    "Évaluée pour chaque élément, avec `item` et `index` : `null`, `false`, `0`, un texte, une liste ou un objet vide et le texte `false` comptent comme faux.",
  "Sorts, shortens, deduplicates, groups or flattens a list.":
    "Trie, raccourcit, dédoublonne, groupe ou aplatit une liste.",
  "What to do with it.": "Ce qu’il faut en faire.",
  "Path inside an item (`customer.name`) to sort, compare or group by; without it the item itself.":
    "Chemin dans un élément (`customer.name`) pour trier, comparer ou grouper ; sans lui, l’élément lui-même.",
  "`limit`: how many items to keep, default 1. `flatten`: how many levels, default 1.":
    "`limit` : combien d’éléments garder, 1 par défaut. `flatten` : combien de niveaux, 1 par défaut.",
  "`sort`: direction, default `asc`.": "`sort` : sens, `asc` par défaut.",
  "Brings branches together and joins their data.": "Réunit des branches et joint leurs données.",
  "`combine` (default): one object, later keys win. `append`: one list. `zip`: the first items together, the second … `byKey`: objects with the same `key` become one.":
    "`combine` (par défaut) : un objet, les dernières clés l’emportent. `append` : une liste. `zip` : les premiers éléments ensemble, les deuxièmes … `byKey` : les objets de même `key` n’en font qu’un.",
  "What to join, in order, usually outputs of nodes. An absent source (`null`) is left out; where a list is wanted, a single value is a list of one.":
    "Ce qui est joint, dans l’ordre, en général des sorties de nœuds. Une source absente (`null`) est omise ; là où il faut une liste, une valeur seule est une liste d’un élément.",
  "`byKey`: path of the value that belongs together, default `id`.":
    "`byKey` : chemin de la valeur commune, `id` par défaut.",
  "Runs the nodes inside it once for each item of a list.":
    "Exécute les nœuds qu’il contient une fois pour chaque élément d’une liste.",
  "The list; a single value is a list of one, nothing an empty one. Inside, `item` and `index` are in scope.":
    "La liste ; une valeur seule est une liste d’un élément, rien une liste vide. À l’intérieur, il y a `item` et `index`.",
  "How many items are under way at once.": "Combien d’éléments sont en cours à la fois.",
  "`fail` ends the loop at the first error, `continue` notes it in `errors` and goes on.":
    "`fail` termine la boucle à la première erreur, `continue` la note dans `errors` et poursuit.",
  "Runs the nodes inside it again and again while a condition holds.":
    "Exécute les nœuds qu’il contient tant qu’une condition est vraie.",
  "Evaluated before each round, with `index` and the result of the round before as `item` in scope: `null`, `false`, `0`, an empty text, list or object and the text `false` count as false.":
    "Évaluée avant chaque tour, avec `index` et le résultat du tour précédent dans `item` : `null`, `false`, `0`, un texte, une liste ou un objet vide et le texte `false` comptent comme faux.",
  "The loop ends after so many rounds, whatever the condition says.":
    "La boucle se termine après ce nombre de tours, quoi que dise la condition.",
  "Waits for a time, or until a moment. Five seconds and more make the run PAUSED: it holds no slot.":
    "Attend un certain temps, ou jusqu’à un moment. À partir de cinq secondes, l’exécution est PAUSED : elle n’occupe aucun emplacement.",
  "`30s`, `5m`, `1h`, `2d` or a number of seconds, at most `365d`.":
    "`30s`, `5m`, `1h`, `2d` ou un nombre de secondes, au plus `365d`.",
  "The moment to wait for, ISO 8601; UTC unless it says otherwise. One that has passed does not wait.":
    "Le moment attendu, ISO 8601 ; en UTC sauf indication contraire. Un moment passé n’attend pas.",
  "Makes the run PAUSED until somebody approves or rejects.":
    "Met l’exécution en PAUSED jusqu’à ce que quelqu’un approuve ou refuse.",
  "What is to be decided.": "Ce qu’il faut décider.",
  "How long to wait for an answer (`2d`); without it the run waits as long as it takes.":
    "Combien de temps attendre une réponse (`2d`) ; sans cela, l’exécution attend le temps qu’il faut.",
  "Users, by id or e-mail address, who may answer with a key, beside admins and owners. The link works for whoever has it.":
    "Utilisateurs, par id ou adresse e-mail, qui peuvent répondre avec une clé, outre les administrateurs et les propriétaires. Le lien vaut pour qui l’a.",
  "JSON Schema of an object of texts, numbers, truth values and choices (`enum`): the page asks for them, and `data` of an answer has to fit. A rejection may leave them out.":
    "JSON Schema d’un objet de textes, nombres, valeurs vraies ou fausses et choix (`enum`) : la page les demande, et `data` d’une réponse doit y correspondre. Un refus peut les omettre.",
  "Who is told, through the node's credential: `{email: {to, subject, text}}` or `{http-request: {url, body}}`. What is left out of subject, text and body is made of the message and the link.":
    "Qui est prévenu, avec l’identifiant du nœud : `{email: {to, subject, text}}` ou `{http-request: {url, body}}`. Ce qui manque de l’objet, du texte et du corps est fait du message et du lien.",
  "The address, or a list. At most 100 recipients in all, also within one text.":
    "L’adresse, ou une liste. Au plus 100 destinataires en tout, y compris dans un seul texte.",
  "The subject.": "L’objet.",
  "The plain text.": "Le texte brut.",
  "The HTML form; with `text` beside it the reader chooses.":
    "La version HTML ; avec `text` à côté, le lecteur choisit.",
  "The sender; without it the user of the credential, where that is an address.":
    "L’expéditeur ; sans lui, l’utilisateur de l’identifiant, si c’est une adresse.",
  "Starts another flow of the same organization, and waits for its end unless told otherwise.":
    "Lance un autre flux de la même organisation et attend sa fin, sauf indication contraire.",
  "The flow to start.": "Le flux à lancer.",
  "`data` of the other run.": "`data` de l’autre exécution.",
  "`trigger` of the other run: `body`, `headers`, `query`, `method`.":
    "`trigger` de l’autre exécution : `body`, `headers`, `query`, `method`.",
  "`trigger.body` of the other flow.": "`trigger.body` de l’autre flux.",
  "`trigger.headers`.": "`trigger.headers`.",
  "`trigger.query`.": "`trigger.query`.",
  "`trigger.method`.": "`trigger.method`.",
  "Default true: this run is PAUSED until the other one ends. False: it goes on at once.":
    "Par défaut true : cette exécution est PAUSED jusqu’à la fin de l’autre. False : elle continue aussitôt.",
  "What becomes of the other run where this one ends while it waits: `cancel` (default) or `leave`. Without `wait` it is left.":
    "Ce que devient l’autre exécution si celle-ci se termine pendant l’attente : `cancel` (par défaut) ou `leave`. Sans `wait`, elle continue.",
  "Ends the flow with a result. The first one that is reached wins.":
    "Termine le flux avec un résultat. Le premier atteint l’emporte.",
  "The run's output; anything but an object becomes `{value}`.":
    "La sortie de l’exécution ; tout ce qui n’est pas un objet devient `{value}`.",
  "Of the answer to a webhook's caller, where the flow's `webhook.respond` waits for it; default 200.":
    "De la réponse à qui appelle le webhook, là où `webhook.respond` du flux l’attend ; 200 par défaut.",
  "Of the same answer: `content-type`, `location`, `x-…` and the like. Cookies and what belongs to the connection or to the service are refused.":
    "De la même réponse : `content-type`, `location`, `x-…` et semblables. Les cookies et ce qui relève de la connexion ou du service sont refusés.",
  "Ends the flow FAILED with a message.": "Termine le flux en FAILED avec un message.",
  "The text of the run's error.": "Le texte de l’erreur de l’exécution.",
  "Asks a language model once, without tools or memory.":
    "Interroge une fois un modèle de langage, sans outils ni mémoire.",
  "What to ask.": "Ce qu’il faut demander.",
  "Standing instructions for the model.": "Instructions permanentes pour le modèle.",
  "The provider's name of the model; `demo` without a credential answers offline, without a model.":
    "Le nom du modèle chez le fournisseur ; `demo` sans identifiant répond hors ligne, sans modèle.",
  "JSON Schema of the wanted answer; the answer is checked and parsed into `object`.":
    "JSON Schema de la réponse voulue ; la réponse est vérifiée et analysée dans `object`.",
  "Sends a message to an agent of the same organization and waits for the whole reply.":
    "Envoie un message à un agent de la même organisation et attend la réponse entière.",
  "The agent.": "L’agent.",
  "What to say.": "Ce qu’il faut dire.",
  "Messages with the same key go to the same session; without it each message starts a new one.":
    "Les messages de même clé vont à la même session ; sans elle, chaque message en ouvre une nouvelle.",
  "Calls one tool of an MCP server over HTTP.": "Appelle un outil d’un serveur MCP par HTTP.",
  "The server's MCP address.": "L’adresse MCP du serveur.",
  "The tool's name.": "Le nom de l’outil.",
  "What the tool asks for.": "Ce que l’outil demande.",
  "Runs one statement on a PostgreSQL database of yours; at most 60 s, 10,000 rows and 5 MB.":
    "Exécute une instruction sur une base PostgreSQL à vous ; au plus 60 s, 10 000 lignes et 5 Mo.",
  "The statement, with `$1`, `$2` … where values go. Never put values into the text.":
    "L’instruction, avec `$1`, `$2` … là où vont les valeurs. Ne mettez jamais de valeurs dans le texte.",
  "The values of `$1`, `$2` …; lists and objects go as JSON.":
    "Les valeurs de `$1`, `$2` … ; les listes et les objets partent en JSON.",
  "Sends a mail over SMTP.": "Envoie un e-mail par SMTP.",
  "Keeps a value under a key, for every flow of the organization.":
    "Garde une valeur sous une clé, pour tous les flux de l’organisation.",
  "`increment` adds `value` (default 1) to a number, in one step that no other run can come between.":
    "`increment` ajoute `value` (1 par défaut) à un nombre, en une étape où aucune autre exécution ne s’intercale.",
  "The key, at most 256 characters.": "La clé, au plus 256 caractères.",
  "`set`: any value. `increment`: the number to add.":
    "`set` : une valeur quelconque. `increment` : le nombre à ajouter.",
  "`{body, headers, query, method}` of the trigger, laid over the defaults key by key.":
    "`{body, headers, query, method}` du déclencheur, posés clé par clé sur les valeurs par défaut.",
  "The values.": "Les valeurs.",
  "`{text}`.": "`{text}`.",
  "`{value}`, the result of the expression; `null` where it finds nothing.":
    "`{value}`, le résultat de l’expression ; `null` là où elle ne trouve rien.",
  "The returned object; anything else as `{value}`. `console.log` is kept with the node's record.":
    "L’objet renvoyé ; tout le reste en `{value}`. `console.log` est gardé avec le nœud.",
  '`{status, headers, body}`. The body is parsed where it is JSON, text where it is UTF-8, otherwise base64 with `bodyEncoding: "base64"` beside it.':
    '`{status, headers, body}`. Le corps est analysé s’il est en JSON, texte s’il est en UTF-8, sinon base64 avec `bodyEncoding: "base64"` à côté.',
  "`{result}`, true or false.": "`{result}`, true ou false.",
  "`{value, case}`: the value and the name of the case, or `default`.":
    "`{value, case}` : la valeur et le nom du cas, ou `default`.",
  "`{items}`, the kept ones in their order.": "`{items}`, ceux qui restent, dans leur ordre.",
  "`{items}`; for `group` `{groups}`, an object of lists by the text of the value. Items without the value come last, or in the group `null`.":
    "`{items}` ; pour `group` `{groups}`, un objet de listes selon le texte de la valeur. Les éléments sans la valeur viennent en dernier, ou dans le groupe `null`.",
  "`{value}`, an object for `combine` and a list otherwise.":
    "`{value}`, un objet pour `combine`, sinon une liste.",
  "`{items, errors}`: the result of each round in the order of the list (`null` where it failed) and `{index, error}` of the failed ones.":
    "`{items, errors}` : le résultat de chaque tour dans l’ordre de la liste (`null` s’il a échoué) et `{index, error}` des tours échoués.",
  "`{iterations, last}`: how many rounds there were and the result of the last one.":
    "`{iterations, last}` : combien de tours il y a eu, et le résultat du dernier.",
  "`{waitedUntil}`, ISO 8601.": "`{waitedUntil}`, ISO 8601.",
  "`{decision, by, data}`: the answer, who gave it and what came with it.":
    "`{decision, by, data}` : la réponse, qui l’a donnée et ce qui l’accompagnait.",
  "`{runId, status, output}` of the other run; without `wait` its status at the start and no output.":
    "`{runId, status, output}` de l’autre exécution ; sans `wait`, son statut au départ et pas de sortie.",
  "None: the flow has ended.": "Aucune : le flux est terminé.",
  "`{text, object, usage}`: the reply, the parsed answer where there is a `schema`, and the counted tokens.":
    "`{text, object, usage}` : la réponse, la réponse analysée s’il y a un `schema`, et les jetons comptés.",
  "`{text, sessionId}`.": "`{text, sessionId}`.",
  "`{content, structured}`: the parts of the answer and its structured form, `null` where there is none.":
    "`{content, structured}` : les parties de la réponse et sa forme structurée, `null` s’il n’y en a pas.",
  "`{rows, rowCount}`. Timestamps are ISO 8601, `numeric` and integers beyond 2^53 are text, `bytea` is base64.":
    "`{rows, rowCount}`. Les horodatages sont en ISO 8601, `numeric` et les entiers au-delà de 2^53 sont des textes, `bytea` est en base64.",
  "`{messageId}`, the same when the node is repeated, so that a receiver can drop the second one.":
    "`{messageId}`, le même quand le nœud est répété, pour qu’un destinataire puisse écarter le second.",
  "`{value}` after the operation; `null` where there is none.":
    "`{value}` après l’opération ; `null` s’il n’y en a pas.",
};
