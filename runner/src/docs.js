// The OpenAPI document as a page: every route with its parameters, its body and its answers. No script.

const escape = (value) => String(value).replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]);

function rows(schema, depth = 0) {
	if (schema?.type === 'array')
		return rows(schema.items, depth);
	if (depth > 4 || !schema?.properties)
		return '';
	const row = ([name, s]) => {
		const about = [s.description, s.enum && `one of ${s.enum.join(', ')}`, s.default !== undefined && typeof s.default !== 'object' && `default ${s.default}`,
			s.minimum !== undefined && `at least ${s.minimum}`, s.maximum !== undefined && `at most ${s.maximum}`].filter(Boolean).join('; ');
		return `<li><code>${escape(name)}</code>${schema.required?.includes(name) ? '' : '?'}: ${escape(s.type ?? '')} ${escape(about)}${rows(s, depth + 1)}</li>`;
	};
	return `<ul>${Object.entries(schema.properties).map(row).join('')}</ul>`;
}

const bodyOf = (content) => Object.values(content ?? {})[0]?.schema;

function operation(path, method, o) {
	const parameters = (o.parameters ?? []).map((p) => `<li><code>${escape(p.name)}</code> (${escape(p.in)}) ${escape(p.schema?.description ?? p.description ?? '')}</li>`).join('');
	const answers = Object.entries(o.responses ?? {}).map(([status, r]) => `<details><summary>${escape(status)}</summary>${rows(bodyOf(r.content))}</details>`).join('');
	return `<section><h2><code>${escape(method.toUpperCase())} ${escape(path)}</code></h2><p>${escape(o.summary ?? '')}</p>${parameters && `<ul>${parameters}</ul>`}`
		+ `${o.requestBody ? `<h3>Body, JSON</h3>${rows(bodyOf(o.requestBody.content))}` : ''}<h3>Answers</h3>${answers}</section>`;
}

export function documentPage(api) {
	const sections = Object.entries(api.paths).flatMap(([path, methods]) => Object.entries(methods).map(([method, o]) => operation(path, method, o)));
	return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escape(api.info.title)}</title>
<style>:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}section{border-top:1px solid #8888}ul{margin:.2rem 0}</style>
<h1>${escape(api.info.title)}</h1><p>${escape(api.info.description)} <a href="/openapi.json">openapi.json</a></p>
<p>Every request but those to <code>/healthz</code>, <code>/docs</code> and <code>/openapi.json</code> carries <code>Authorization: Bearer TOKEN</code>.</p>${sections.join('')}</html>`;
}
