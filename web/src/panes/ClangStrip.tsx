import { clangBytes, clangClient, clangState } from '../cuda';
import { compileNow } from '../actions';
import { sourceKind } from '../store';

const mb = (bytes: number) => (bytes / 1e6).toFixed(1);

/** How far clang's download is; what to do where there is none. */
export function ClangStrip() {
	const now = clangState.value;
	if (sourceKind.value !== 'cu' || now.state === 'ready' || now.state === 'absent')
		return null;
	return (
		<div class="strip clang" data-testid="clang" data-state={now.state}>
			{now.state === 'loading' ? (
				<>
					<label>
						<span>clang, to read CUDA C++: <span data-testid="clang-bytes">{mb(now.bytes)}</span> of {mb(clangBytes)} MB, once{now.again && '; what came first was damaged, and is fetched again'} </span>
						<progress max={clangBytes} value={now.bytes} />
					</label>
					<button type="button" onClick={() => clangClient.cancel()}>Cancel</button>
				</>
			) : (
				<>
					<span>{now.state === 'failed' ? `clang could not be loaded: ${now.message}.` : 'CUDA C++ is read by clang, which is not loaded.'} </span>
					<button type="button" onClick={() => void compileNow()}>{now.state === 'failed' ? 'Try again' : `Load clang (${mb(clangBytes)} MB)`}</button>
				</>
			)}
		</div>
	);
}
