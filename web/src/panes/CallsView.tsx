// The call graph as the selected pass leaves it, with the memory that pointer arguments are known to lie in.

import dagre from '@dagrejs/dagre';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { goToLine } from '../actions';
import { readCalls, type Callee, type Calls } from '../calls';
import { kernels } from '../kernels';
import { fn, levelOf, shown, shownSource } from '../store';

const counted = (n: number, what: string) => `${n} ${what}${n === 1 ? '' : 's'}`;

interface Box extends Callee { x: number; y: number; width: number; height: number }

/** IR texts of all functions as they stand after run `index`; past the lowering, as they were last. */
function textsAt(index: number): string[] {
	const { trace } = shown.value!;
	const latest = new Map<string, number>(), { id } = trace.passes[index]!;
	// A pass over the module leaves its functions' texts right behind itself.
	while (trace.passes[index]!.function === '' && trace.passes[index + 1]?.id === id || (trace.passes[index + 1]?.id === id && levelOf(trace.passes[index]!) === 'ir'))
		index++;
	for (let i = 0; i <= index || latest.size === 0; i++) {
		const run = trace.passes[i];
		if (!run)
			break;
		if (run.text !== null && run.function && levelOf(run) === 'ir')
			latest.set(run.function, run.text);
	}
	return [...latest.values()].map((t) => trace.texts[t] ?? '');
}

function layout({ functions, calls }: Calls) {
	const graph = new dagre.graphlib.Graph({ multigraph: true });
	graph.setGraph({ rankdir: 'TB', nodesep: 26, ranksep: 46, marginx: 14, marginy: 14 });
	graph.setDefaultEdgeLabel(() => ({}));
	const boxes: Box[] = functions.map((f) => ({
		...f, x: 0, y: 0, width: Math.max(90, f.name.length * 7.2 + 22, f.pointers.length * 66 + 16), height: f.pointers.length ? 50 : 30,
	}));
	for (const b of boxes)
		graph.setNode(b.name, { width: b.width, height: b.height });
	calls.forEach((c, i) => graph.setEdge(c.from, c.to, { width: 70, height: 16, labelpos: 'c' }, String(i)));
	dagre.layout(graph);
	for (const b of boxes) {
		const node = graph.node(b.name);
		b.x = (node.x ?? 0) - b.width / 2;
		b.y = (node.y ?? 0) - b.height / 2;
	}
	const edges = graph.edges().map((e) => {
		const { points, x = 0, y = 0 } = graph.edge(e) as { points: { x: number; y: number }[]; x?: number; y?: number };
		return { call: calls[Number(e.name)]!, path: points.map((p, i) => `${i ? 'L' : 'M'}${p.x.toFixed(1)} ${p.y.toFixed(1)}`).join(''), x, y };
	});
	const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
	return { boxes, edges, width, height };
}

const Spaces = ({ list }: { list: readonly string[] }) => <>{list.map((s, i) => <span key={i} class={`space ${s}`}>{s}</span>)}</>;

export function CallsView({ index }: { index: number }) {
	const { trace } = shown.value!;
	const graph = useMemo(() => readCalls(textsAt(index), new Set(kernels.value.map((k) => k.name))), [trace, index]);
	const picture = useMemo(() => graph.functions.length <= 200 ? layout(graph) : null, [graph]);
	const canvas = useRef<HTMLDivElement>(null);
	const [zoom, setZoom] = useState(1);
	useLayoutEffect(() => {
		const box = canvas.current;
		if (!box || !picture)
			return;
		const fit = Math.max(0.6, Math.min(1, box.clientWidth / picture.width)), kernel = picture.boxes.find((b) => b.kernel);
		setZoom(fit);
		requestAnimationFrame(() => box.scrollTo({ left: kernel ? (kernel.x + kernel.width / 2) * fit - box.clientWidth / 2 : 0 }));
	}, [picture]);
	if (graph.functions.length === 0)
		return <p class="empty">There is no function at this stage.</p>;
	if (!picture)
		return <p class="empty">This module has {graph.functions.length} functions, too many to draw.</p>;
	const open = (f: Callee) => {
		fn.value = f.name;
		const line = shownSource.value.split('\n').findIndex((l) => l.startsWith('define') && l.includes(`@${f.name}(`)) + 1;
		goToLine(line);
	};
	return (
		<div class="cfg">
			<div class="cfg-tools"><span class="quiet">{counted(graph.functions.length, 'function')}, {counted(graph.calls.reduce((n, c) => n + c.count, 0), 'call')} · each pointer argument with its memory, as known here</span></div>
			<div ref={canvas} class="canvas" tabIndex={0} role="region" aria-label="Call graph">
				<svg class="calls" viewBox={`0 0 ${picture.width} ${picture.height}`} width={picture.width * zoom} height={picture.height * zoom}>
					<defs>
						<marker id="call-arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" class="head" /></marker>
					</defs>
					{picture.edges.map((e, i) => <path key={i} class="edge" d={e.path} marker-end="url(#call-arrow)" />)}
					{picture.edges.map((e, i) => e.call.spaces.length > 0 && (
						<foreignObject key={i} x={e.x - 60} y={e.y - 9} width={120} height={18}>
							<div class="callee-passed" title={`${e.call.from} calls ${e.call.to}${e.call.count > 1 ? ` ${e.call.count} times` : ''}`}><Spaces list={e.call.spaces} /></div>
						</foreignObject>
					))}
					{picture.boxes.map((b) => (
						<foreignObject key={b.name} x={b.x} y={b.y} width={b.width} height={b.height}>
							<button type="button" class={`callee${b.kernel ? ' kernel' : ''}${b.defined ? '' : ' outside'}`} data-function={b.name} title={b.kernel ? 'a kernel' : b.defined ? 'a function' : 'declared only'} onClick={() => open(b)}>
								<code>{b.name}</code>
								{b.pointers.length > 0 && <span><Spaces list={b.pointers.map((p) => p.space)} /></span>}
							</button>
						</foreignObject>
					))}
				</svg>
			</div>
		</div>
	);
}
