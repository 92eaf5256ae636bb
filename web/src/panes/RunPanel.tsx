export function RunPanel() {
	return <p class="empty" data-testid="run">Nothing has run yet.</p>;
}
