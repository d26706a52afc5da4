/** The console begins here. */
import './styles/main.css';
import { render } from 'preact';
import icon from './icon.svg';

render(<img src={icon} alt="" />, document.body);
