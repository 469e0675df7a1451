import { Tooltip } from '@mantine/core';
import { formatAgo, formatDate, formatMoment, formatUtc } from './format';

/** A moment in the reader's time zone, with the exact UTC on hover and focus. */
export function When({
  at,
  as = 'moment',
  none = '–',
}: {
  at: string | null | undefined;
  as?: 'moment' | 'date' | 'ago';
  none?: string;
}) {
  if (!at) return <span>{none}</span>;
  const text = { moment: formatMoment, date: formatDate, ago: formatAgo }[as](at);
  return (
    <Tooltip label={formatUtc(at)} events={{ hover: true, focus: true, touch: true }} withArrow>
      <time dateTime={at} className="mv-number">
        {text}
      </time>
    </Tooltip>
  );
}
