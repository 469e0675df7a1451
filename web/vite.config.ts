import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compressedFiles } from './build/compressed-files.ts';
import { sizeLimits } from './build/size-limits.ts';

/** `npm run dev --workspace web` serves the page by itself and asks a running console for the data. */
const console = process.env['CONSOLE_URL'] ?? 'http://127.0.0.1:3002';

export default defineConfig({
  plugins: [react(), sizeLimits(), compressedFiles()],
  build: {
    // A small file would become a `data:` address, which the page's Content-Security-Policy forbids.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1000,
  },
  // The worker that reads files loads its code for workbooks when it meets one.
  worker: { format: 'es' },
  server: { proxy: { '/console/api': console, '/sign-in/oidc': console } },
});
