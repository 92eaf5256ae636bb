import { render } from 'preact';
import { boot } from './actions';
import { App } from './App';
import './style.css';
import './ui/theme';

render(<App />, document.getElementById('app')!);
void boot();
