import { useMemo } from 'react';
import { encode } from 'uqr';

/** Drawn here, in the browser: a secret goes to nobody else to be turned into a picture. Dark on light in both schemes, as readers want it. */
export function QrCode({ text, label, size = 200 }: { text: string; label: string; size?: number }) {
  const { path, width } = useMemo(() => {
    const { data, size: modules } = encode(text, { ecc: 'M', border: 2 });
    const drawn = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : '')));
    return { path: drawn.join(''), width: modules };
  }, [text]);
  return (
    <svg
      role="img"
      aria-label={label}
      width={size}
      height={size}
      viewBox={`0 0 ${width} ${width}`}
      shapeRendering="crispEdges"
      style={{ background: '#fff', borderRadius: 8, display: 'block' }}
    >
      <path d={path} fill="#000" />
    </svg>
  );
}
