import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';

export interface Download {
  readonly name: string;
  readonly bytes: Buffer;
}

/** Keeps every value of the progress bar in `progress`: the page notes them itself, so that none is missed. */
export const NOTE_PROGRESS = `{
  globalThis.progress = new Set();
  const note = () => {
    const bar = document.querySelector('[role=progressbar][aria-label="Addresses checked"]');
    if (bar !== null) progress.add(Number(bar.getAttribute('aria-valuenow')));
  };
  new MutationObserver(note).observe(document, { attributes: true, childList: true, subtree: true });
  note();
}`;

/** The page of lists, as a person uses it. */
export class ListsPage {
  constructor(
    readonly page: Page,
    private readonly url: string,
    private readonly accountId: string,
  ) {}

  /** Within the page where it can: to load it anew costs more than most of what it does. */
  async open(): Promise<void> {
    const link = this.page.getByRole('link', { name: 'Lists', exact: true });
    if (!(await link.isVisible())) await this.page.goto(`${this.url}/lists`);
    else if (!this.page.url().endsWith('/lists')) await link.click();
    await this.page.getByLabel('List file').waitFor({ state: 'attached' });
  }

  async choose(name: string, bytes: Uint8Array): Promise<void> {
    await this.page.getByLabel('List file').setInputFiles({ name, mimeType: '', buffer: Buffer.from(bytes) });
  }

  async check(name: string, bytes: Uint8Array): Promise<void> {
    await this.open();
    await this.choose(name, bytes);
    await this.page.getByRole('button', { name: 'Check file' }).click();
  }

  async start(): Promise<void> {
    await this.page.getByRole('button', { name: 'Start', exact: true }).click();
    await this.page.waitForURL(/\/lists\/[0-9a-f-]{36}$/);
  }

  async results(): Promise<void> {
    await this.page.getByRole('heading', { name: 'Download' }).waitFor();
  }

  async download(rows: 'Deliverable only' | 'What to review' | 'Everything'): Promise<Download> {
    await this.page.getByRole('radio', { name: rows }).check();
    const saving = this.page.waitForEvent('download');
    await this.page.getByRole('button', { name: 'Download', exact: true }).click();
    const saved = await saving;
    return { name: saved.suggestedFilename(), bytes: await readFile(await saved.path()) };
  }

  /** What the API says of each address of the list that is open, as the columns that the page adds. */
  async verdicts(): Promise<(email: string) => string> {
    const id = this.page.url().split('/').at(-1);
    const path = `/console/api/accounts/${this.accountId}/lists/${id}/results`;
    const answer = await this.page.request.get(`${this.url}${path}`);
    const { results } = (await answer.json()) as { readonly results: readonly Entry[] };
    const lines = new Map(results.map((entry) => [entry.email, addedCells(entry)]));
    return (email) => lines.get(email.toLowerCase()) ?? 'no verdict';
  }
}

interface Entry {
  readonly email: string;
  readonly result: string;
  readonly reason: string | null;
  readonly deliverable: boolean | null;
  readonly decision: { readonly recommendation: string };
  readonly score: number | null;
  readonly suggested_correction: string | null;
  readonly provider: string | null;
}

function addedCells(entry: Entry): string {
  const { result, reason, deliverable, decision, score, suggested_correction, provider } = entry;
  return [result, reason, deliverable, decision.recommendation, score, suggested_correction, provider].join(',');
}
