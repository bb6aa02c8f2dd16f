import { defineHandler } from 'nitro/h3';

// biome-ignore lint/style/noDefaultExport: Nitro asks for it
export default defineHandler(() => 'This page is of Nitro itself.\n');
