import { isNullMx } from '../../records/null-mx.js';
import type { PartCrawler } from '../part-crawler.js';

export const mailHosts: PartCrawler<'mail_hosts'> = async ({ mail }) => {
  const { mx, hasHost, names } = await mail();
  const nullMx = mx.kind === 'failure' ? null : mx.kind === 'records' && isNullMx(mx.records);
  return { mx: hasHost, nullMx, mailHosts: names };
};
