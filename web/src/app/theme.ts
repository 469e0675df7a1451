import { Anchor, createTheme, type CSSVariablesResolver } from '@mantine/core';

/** One accent colour; everything else is grey, or a verdict's own colour (components/verdict.tsx). */
export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 7, dark: 7 },
  defaultRadius: 'md',
  cursorType: 'pointer',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace',
  components: {
    Anchor: Anchor.extend({ defaultProps: { underline: 'always' } }),
    // A dialog that moves as it opens takes a click from under the pointer.
    Modal: {
      defaultProps: {
        transitionProps: { transition: 'fade', duration: 200 },
        closeButtonProps: { 'aria-label': 'Close' },
      },
    },
  },
  headings: {
    fontWeight: '650',
    sizes: { h1: { fontSize: '1.5rem', lineHeight: '1.3' }, h2: { fontSize: '1.0625rem', lineHeight: '1.4' } },
  },
});

/** Greys and reds of the library that are too faint to read on our backgrounds (WCAG 2.2, 1.4.3). */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#596069',
    '--mantine-color-placeholder': '#6b727b',
    '--mantine-color-error': '#c92a2a',
    '--mantine-color-orange-light-color': '#a33b00',
    '--mantine-color-anchor': '#3b5bdb',
  },
  dark: {
    '--mantine-color-dimmed': '#a9adb4',
    '--mantine-color-placeholder': '#9a9ea5',
    '--mantine-color-error': '#ff8787',
    '--mantine-color-anchor': '#91a7ff',
  },
});
