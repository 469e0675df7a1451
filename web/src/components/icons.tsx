import type { ReactNode } from 'react';

/** Drawn here, for a page that needs thirty of them: line icons on a grid of 24, in the colour of the text. */
const SHAPES = {
  overview: <path d="M4 20V11m5.3 9V4m5.4 16v-7m5.3 7V8" />,
  verify: (
    <path d="M3 7.5A1.5 1.5 0 0 1 4.5 6h15A1.5 1.5 0 0 1 21 7.500v9a1.5 1.5 0 0 1-1.5 1.500h-15A1.5 1.5 0 0 1 3 16.500zM8.5 12l2.6 2.600L16 9.7" />
  ),
  lists: <path d="M9 6h11M9 12h11M9 18h11M4.5 6h.01M4.5 12h.01M4.5 18h.01" />,
  domains: (
    <path d="M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM3.5 9.500h17m-17 5h17M12 3c-5 5.5-5 12.5 0 18m0-18c5 5.5 5 12.5 0 18" />
  ),
  keys: <path d="M8 11.500a4 4 0 1 0 0 8 4 4 0 0 0 0-8zm2.9 1.200L20 3.600m-3.6 3.6 2.7 2.7" />,
  guard: <path d="M12 3l7.5 2.800V12c0 4.4-3 7.6-7.5 9-4.5-1.4-7.5-4.6-7.5-9V5.800z" />,
  webhooks: (
    <path d="M5.5 12.500a3 3 0 1 0 0 6 3 3 0 0 0 0-6zm13 0a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM12 3.500a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM10.5 9.100 7 13m6.5-3.900L17 13M8.5 15.500h7" />
  ),
  credits: (
    <path d="M12 3.500a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zm2.8 5.700c-.6-.8-1.6-1.2-2.8-1.2-1.7 0-2.9.8-2.9 2s1.1 1.7 2.9 2 3 .8 3 2.1-1.3 2-3 2c-1.3 0-2.4-.4-3-1.300M12 6.300v1.500m0 8.400v1.5" />
  ),
  security: (
    <path d="M6.5 10.500h11A1.5 1.5 0 0 1 19 12v7a1.5 1.5 0 0 1-1.5 1.500h-11A1.5 1.5 0 0 1 5 19v-7a1.5 1.5 0 0 1 1.5-1.500zm1.5 0V8a4 4 0 0 1 8 0v2.5" />
  ),
  admin: <path d="M4 6h9m5 0h2M4 12h3m5 0h8M4 18h9m5 0h2M15.5 4v4m-6 2v4m6 2v4" />,
  sun: (
    <path d="M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2.500v2m0 15v2m9.5-9.500h-2m-15 0h-2m16.2-6.7-1.4 1.400M6.7 17.300l-1.4 1.400m13.4 0-1.4-1.400M6.7 6.7 5.3 5.3" />
  ),
  moon: <path d="M20 14.500A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.500z" />,
  user: <path d="M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM4.5 20.500c.8-3.5 3.7-5.5 7.5-5.500s6.7 2 7.5 5.5" />,
  exit: <path d="M10 4H6a1.5 1.5 0 0 0-1.5 1.500v13A1.5 1.5 0 0 0 6 20h4m5-12 4 4-4 4m4-4H9.5" />,
  chevron: <path d="m6.5 9.5 5.5 5.5 5.5-5.5" />,
  forward: <path d="m9.5 6.5 5.5 5.5-5.5 5.5" />,
  up: <path d="m7 14.5 5-5 5 5" />,
  down: <path d="m7 9.5 5 5 5-5" />,
  sort: <path d="m8 10 4-4 4 4m-8 4 4 4 4-4" />,
  search: <path d="M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zm4.8 11.300L20 20" />,
  download: <path d="M12 4v11m-4.5-4.500L12 15l4.5-4.500M4.5 19.500h15" />,
  copy: (
    <path d="M9.5 8h9A1.5 1.5 0 0 1 20 9.500v9a1.5 1.5 0 0 1-1.5 1.500h-9A1.5 1.5 0 0 1 8 18.500v-9A1.5 1.5 0 0 1 9.5 8zM16 8V5.500A1.5 1.5 0 0 0 14.5 4h-9A1.5 1.5 0 0 0 4 5.500v9A1.5 1.5 0 0 0 5.5 16H8" />
  ),
  check: <path d="m5 12.5 4.5 4.500L19 7.5" />,
  cross: <path d="M6.5 6.500l11 11m0-11-11 11" />,
  plus: <path d="M12 5v14m-7-7h14" />,
  refresh: <path d="M19.5 8.500A8 8 0 0 0 5 8m-.5-4v4.500H9M4.5 15.500A8 8 0 0 0 19 16m.5 4v-4.500H15" />,
  warning: <path d="M12 4 2.8 19.500h18.400zm0 6v4.500m0 2.500v.01" />,
  info: <path d="M12 3.500a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zm0 7.500v5m0-8.500v.01" />,
  question: (
    <path d="M12 3.500a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM9.7 9.700a2.4 2.4 0 1 1 3.5 2.200c-.8.4-1.2 1-1.2 1.800v.3m0 2.500v.01" />
  ),
  tray: (
    <path d="M4 13.500V18a1.5 1.5 0 0 0 1.5 1.500h13A1.5 1.5 0 0 0 20 18v-4.500M4 13.5 6.5 5h11l2.5 8.500M4 13.500h4.500L10 16h4l1.5-2.500H20" />
  ),
  bin: (
    <path d="M5 7h14m-9-3h4M6.5 7l1 12A1.5 1.5 0 0 0 9 20.500h6a1.5 1.5 0 0 0 1.5-1.500l1-12m-7 4v5.500m3-5.500v5.5" />
  ),
  clock: <path d="M12 3.500a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM12 7.500V12l3 2" />,
  team: (
    <path d="M9 5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zm-6.5 14.500c.6-3 3-5 6.5-5s5.9 2 6.5 5M16 5.300a3.5 3.5 0 0 1 0 6.400m2.5 3.100c1.7.8 2.7 2.4 3 4.7" />
  ),
  asterisk: <path d="M12 5v14M6 8.500l12 7m0-7-12 7" />,
} satisfies Record<string, ReactNode>;

export type IconName = keyof typeof SHAPES;

/** Decoration: whoever uses it says in words what it means. */
export function Icon({ name, size = 18, color }: { name: IconName; size?: number; color?: string }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke={color ?? 'currentColor'}
      strokeWidth={1.8}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
      style={{ flex: 'none' }}
    >
      {SHAPES[name]}
    </svg>
  );
}
