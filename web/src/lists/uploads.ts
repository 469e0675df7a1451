import { useSyncExternalStore } from 'react';
import { api, ApiError } from '../api/client';
import { PART_SIZE } from './file/list-file-session';

/** The sending of a list from this tab. It goes on while other pages of the console are looked at. */
export interface Upload {
  readonly state: 'sending' | 'waiting' | 'stopped' | 'sent';
  readonly sent: number;
  readonly parts: number;
  /** Why it waits or has stopped. */
  readonly error: unknown;
}

export interface UploadOrder {
  /** Path of the list in the API. */
  readonly path: string;
  readonly list: string;
  readonly emails: readonly string[];
  /** Parts that have arrived before. */
  readonly from: number;
}

const LONGEST_WAIT_SECONDS = 60;
const TRIES = 10;

const uploads = new Map<string, Upload>();
const listeners = new Set<() => void>();

export function useUpload(list: string): Upload | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => uploads.get(list),
  );
}

function tell(list: string, upload: Upload): void {
  uploads.set(list, upload);
  for (const listener of listeners) listener();
}

/** Sends the parts of a list that have not arrived yet, one after the other. The same part sent twice counts once. */
export async function sendList({ path, list, emails, from }: UploadOrder): Promise<void> {
  const running = uploads.get(list);
  if (running?.state === 'sending' || running?.state === 'waiting') return;
  const parts = Math.ceil(emails.length / PART_SIZE);
  globalThis.addEventListener('beforeunload', askBeforeLeaving);
  try {
    for (let sent = from; sent < parts; sent++) {
      tell(list, { state: 'sending', sent, parts, error: null });
      const part = { emails: emails.slice(sent * PART_SIZE, (sent + 1) * PART_SIZE) };
      await withPatience(
        () => api.put(`${path}/parts/${sent + 1}`, part),
        (error) => tell(list, { state: 'waiting', sent, parts, error }),
      );
    }
    tell(list, { state: 'sent', sent: parts, parts, error: null });
  } catch (error) {
    tell(list, { state: 'stopped', sent: uploads.get(list)?.sent ?? from, parts, error });
  } finally {
    globalThis.removeEventListener('beforeunload', askBeforeLeaving);
  }
}

/**
 * Tries again what may pass: a fault of the service and a lost connection a few times, a limit for as long as it holds,
 * such as that of jobs at once, which ends with the parts before.
 */
async function withPatience(send: () => Promise<unknown>, onWait: (error: ApiError) => void): Promise<void> {
  let failures = 0;
  for (;;) {
    try {
      await send();
      return;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const isLimit = error.status === 429;
      if (!isLimit && (!mayPass(error) || ++failures === TRIES)) throw error;
      onWait(error);
      const seconds = Math.min(error.retryAfterSeconds ?? (isLimit ? 15 : 2 ** failures), LONGEST_WAIT_SECONDS);
      await new Promise((resolve) => {
        setTimeout(resolve, seconds * 1000);
      });
    }
  }
}

function mayPass({ status, retryAfterSeconds }: ApiError): boolean {
  return status === 0 || status >= 500 || (status === 409 && retryAfterSeconds !== null);
}

function askBeforeLeaving(event: BeforeUnloadEvent): void {
  event.preventDefault();
}
