// The control-flow graph of the selected pass's text, laid out by dagre. Blocks light up with the line that the pointer is on.

import dagre from '@dagrejs/dagre';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { reveal } from '../actions';
import { readCfgs, type Cfg } from '../cfg';
import { download } from '../download';
import { languageOf, lineHtml, type Language } from '../lang/grammar';
import { heatOfBlock, profileByOrigin, profileOfBlocks } from '../heat';
import { hot, levelOf, picked, shown } from '../store';
import { underNames } from './diffRows';

const charWidth = 6.7, lineHeight = 15, maxLines = 14, maxChars = 64;

interface Box {
	name: string;
	/** The name on screen. */
	title: string;
	/** Its place in the text, from 1. */
	place: number;
	lines: string[];
	origins: number[];
	hidden: number;
	x: number;
	y: number;
	width: number;
	height: number;
}

interface Layout {
	boxes: Box[];
	edges: { path: string; label: string | undefined; back: boolean; falls: boolean }[];
	width: number;
	height: number;
}

function layout(cfg: Cfg, origins: readonly number[], named: (line: string) => string): Layout {
	const graph = new dagre.graphlib.Graph();
	graph.setGraph({ rankdir: 'TB', nodesep: 28, ranksep: 34, marginx: 12, marginy: 12 });
	graph.setDefaultEdgeLabel(() => ({}));
	const boxes: Box[] = cfg.blocks.map((block, i) => {
		// The edges say where control goes, and what is known of memory would fill the boxes.
		const kept = block.lines.map((line, i) => ({ line: named(line).trim().replace(/\s+:: \(.*$/, '').slice(0, maxChars), origin: origins[block.start + 1 + i] ?? 0 }))
			.filter((l) => l.line && !/^(?:successors|liveins):/.test(l.line));
		const lines = kept.slice(0, maxLines);
		const hidden = kept.length - lines.length;
		const title = named(`${block.name}:`).slice(0, -1);
		const width = Math.max(70, ...lines.map((l) => l.line.length * charWidth), title.length * 8) + 18;
		return {
			name: block.name, title, place: i + 1, lines: lines.map((l) => l.line), origins: lines.map((l) => l.origin), hidden, x: 0, y: 0,
			width, height: 26 + (lines.length + (hidden > 0 ? 1 : 0)) * lineHeight,
		};
	});
	for (const box of boxes)
		graph.setNode(box.name, { width: box.width, height: box.height });
	const order = new Map(cfg.blocks.map((b, i) => [b.name, i]));
	for (const block of cfg.blocks)
		for (const to of block.to)
			graph.setEdge(block.name, to.name, { label: to.label, falls: to.falls ?? false });
	dagre.layout(graph);
	for (const box of boxes) {
		const node = graph.node(box.name);
		box.x = (node.x ?? 0) - box.width / 2;
		box.y = (node.y ?? 0) - box.height / 2;
	}
	const edges = graph.edges().map((e) => {
		const { points, label, falls } = graph.edge(e) as { points: { x: number; y: number }[]; label?: string; falls: boolean };
		const path = points.map((p, i) => `${i ? 'L' : 'M'}${p.x.toFixed(1)} ${p.y.toFixed(1)}`).join('');
		return { path, label, falls, back: order.get(e.w)! <= order.get(e.v)! };
	});
	const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
	return { boxes, edges, width, height };
}

function Block({ box, language, heat, share }: { box: Box; language: Language; heat: number | undefined; share: number }) {
	const lines = [hot.value?.line, picked.value?.line].filter((l) => l !== undefined);
	const lit = lines.some((l) => box.origins.includes(l));
	return (
		<foreignObject x={box.x} y={box.y} width={box.width} height={box.height}>
			<div class={`block${lit ? ' lit' : ''}`} data-heat={heat} style={heat === undefined ? undefined : { '--heat': share.toFixed(3) }}>
				<div class="block-name">
					<span class="place" title="place in the text">#{box.place}</span>
					{language === 'mir' ? `bb.${box.name}` : box.title}
					{heat !== undefined && <span class="runs" title={`executed by ${heat} warps`}>{heat} ×</span>}
				</div>
				{box.lines.map((line, i) => (
					<div
						key={i} class={`block-line${lines.includes(box.origins[i]!) && box.origins[i] ? ' hot' : ''}`}
						onMouseEnter={() => { hot.value = box.origins[i] ? { line: box.origins[i]!, from: 'view' } : null; }}
						onClick={() => reveal(box.origins[i] ?? 0, 'view')} dangerouslySetInnerHTML={{ __html: lineHtml(language, line) }}
					/>
				))}
				{box.hidden > 0 && <div class="quiet">⋯ {box.hidden} more</div>}
			</div>
		</foreignObject>
	);
}

/** The picture alone, with its colours written in. */
function save(svg: SVGSVGElement, name: string): void {
	const copy = svg.cloneNode(true) as SVGSVGElement;
	const style = document.createElementNS('http://www.w3.org/2000/svg', 'style');
	const page = getComputedStyle(document.documentElement);
	const color = (v: string) => page.getPropertyValue(v).trim();
	style.textContent = `svg{background:${color('--surface')}} .block{font:11px monospace;border:1px solid ${color('--border')};border-radius:4px;color:${color('--text')};height:100%;box-sizing:border-box;padding:2px 8px} .block-name{font-weight:bold} .edge{fill:none;stroke:${color('--muted')}} .edge.back{stroke:${color('--accent')}}`;
	copy.prepend(style);
	download(`${name}.svg`, new XMLSerializer().serializeToString(copy), 'image/svg+xml');
}

export function CfgView({ index }: { index: number }) {
	const result = shown.value!, { trace } = result;
	const run = trace.passes[index]!;
	const text = run.text === null ? '' : trace.texts[run.text] ?? '';
	const language = languageOf(levelOf(run), text);
	const cfgs = useMemo(() => readCfgs(language, text), [language, text]);
	const [wanted, want] = useState('');
	const [zoom, setZoom] = useState(1);
	const svg = useRef<SVGSVGElement>(null), canvas = useRef<HTMLDivElement>(null);
	const cfg = cfgs.find((c) => c.fn === (wanted || run.function)) ?? cfgs[0];
	const picture = useMemo(() => cfg && cfg.blocks.length <= 400 ? layout(cfg, run.lines ?? [], underNames(result, index)) : null, [cfg, run, result]);
	const fit = () => {
		const box = canvas.current;
		if (box && picture)
			setZoom(Math.max(0.7, Math.min(1, box.clientWidth / picture.width)));
	};
	useLayoutEffect(fit, [picture]);
	const heats = useMemo(() => {
		const blocks = profileOfBlocks.value.get(cfg?.fn ?? ''), origins = profileByOrigin.value;
		return new Map(cfg?.blocks.map((b) => [b.name, heatOfBlock(language, b, run.lines ?? [], blocks, origins)]));
	}, [cfg, run, profileByOrigin.value]);
	const counts = [...heats.values()].map((h) => h ?? 0), most = Math.max(1, ...counts);
	// Equal counts have no heat.
	const share = (heat: number | undefined) => counts.every((c) => c === most) ? 0 : (heat ?? 0) / most;
	if (!cfg)
		return <p class="empty">There is no control flow in this text.</p>;
	const falls = picture?.edges.filter((e) => e.falls).length ?? 0;
	if (!picture)
		return <p class="empty">{cfg.fn} has {cfg.blocks.length} blocks, too many to draw.</p>;
	return (
		<div class="cfg">
			<div class="cfg-tools">
				{cfgs.length > 1 && (
					<select aria-label="Function drawn" value={cfg.fn} onChange={(e) => want(e.currentTarget.value)}>
						{cfgs.map((c) => <option key={c.fn} value={c.fn}>{c.fn}</option>)}
					</select>
				)}
				<span class="quiet">{cfg.blocks.length} blocks, {picture.edges.length} edges{falls > 0 && `, ${falls} of them fall through (thick)`}</span>
				<button type="button" onClick={fit}>Fit</button>
				<button type="button" aria-label="Smaller" onClick={() => setZoom(Math.max(0.3, zoom / 1.2))}>−</button>
				<button type="button" aria-label="Larger" onClick={() => setZoom(Math.min(3, zoom * 1.2))}>+</button>
				<button type="button" onClick={() => svg.current && save(svg.current, `${cfg.fn}.${run.id}`)}>Save SVG</button>
			</div>
			<div ref={canvas} class="canvas" tabIndex={0} role="region" aria-label={`Control flow of ${cfg.fn} after ${run.id}`}>
				<svg ref={svg} viewBox={`0 0 ${picture.width} ${picture.height}`} width={picture.width * zoom} height={picture.height * zoom}>
					<defs>
						<marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" class="head" /></marker>
					</defs>
					{picture.edges.map((e, i) => (
						<path key={i} class={`edge${e.back ? ' back' : ''}${e.falls ? ' falls' : ''} ${e.label ?? ''}`} d={e.path} marker-end="url(#arrow)">{(e.label || e.falls) && <title>{e.falls ? 'falls through: no branch is executed' : e.label}</title>}</path>
					))}
					{picture.boxes.map((box) => <Block key={box.name} box={box} language={language} heat={heats.get(box.name)} share={share(heats.get(box.name))} />)}
				</svg>
			</div>
		</div>
	);
}
