// The interface as its own description says: a small reader of /openapi.json.

import { h } from './lib.js';

const description = await (await fetch('/openapi.json')).json();
const place = document.getElementById('paths');
const resolve = (schema) => (schema?.$ref ? description.components.schemas[schema.$ref.split('/').pop()] : schema);

function fields(schema) {
  const found = resolve(schema);
  if (!found?.properties) return null;
  return h('ul', {}, Object.entries(found.properties).map(([name, field]) => h('li', {}, h('code', {}, name),
    found.required?.includes(name) ? ' *' : '', ` ${field.type || resolve(field)?.type || (field.anyOf || []).map((one) => one.type || 'object').join(' | ') || ''}`)));
}

for (const [path, methods] of Object.entries(description.paths)) {
  for (const [method, operation] of Object.entries(methods)) {
    const body = Object.values(operation.requestBody?.content || {})[0]?.schema;
    place.append(h('details.operation', {}, h('summary', {}, h('b', {}, method.toUpperCase()), ' ', h('code', {}, path), h('br', {}), operation.description || operation.summary || ''),
      operation.parameters?.length ? h('ul', {}, operation.parameters.map((one) => h('li', {}, h('code', {}, one.name), ` (${one.in}) ${one.description || ''}`))) : null,
      body ? h('p', {}, 'Body:') : null, body ? fields(body) : null));
  }
}
