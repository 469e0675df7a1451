import { useRef } from 'react';
import { ApiError, MAY_BE_DONE } from '../../api/client';

/** Nobody knows whether it was done, or its first try still runs. */
const isUnsure = ({ status, code }: ApiError): boolean =>
  code === MAY_BE_DONE || code === 'idempotency_conflict' || status >= 500;

/** Gives a call a key, and its repeat the same one: the two are one charge. */
export function useChargeKey() {
  const open = useRef<{ readonly call: string; readonly key: string } | null>(null);
  return async <T>(call: string, send: (key: string) => Promise<T>): Promise<T> => {
    const key = open.current?.call === call ? open.current.key : crypto.randomUUID();
    open.current = { call, key };
    try {
      const answer = await send(key);
      open.current = null;
      return answer;
    } catch (error) {
      if (!(error instanceof ApiError && isUnsure(error))) open.current = null;
      throw error;
    }
  };
}
