import { mount } from 'svelte'
import App from './App.svelte'
import './app.css'
import { language } from './lib/language.svelte.ts'

await language.show()
mount(App, { target: document.getElementById('page')! })
