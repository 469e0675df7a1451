import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ListFile } from './file/list-file';
import type { EntryResults } from './file/added-columns';
import { FileRefusal } from './file/file-refusal';
import { heldFile, holdFile, type HeldFile } from './held-files';
import { keptFile } from './kept-files';

const OTHER_FILE =
  'This is not the file that was checked, or it was changed since: its addresses are others. Choose the one that was checked.';

/** The file that a list came from: still open in this tab, kept in this browser, or to be chosen again. */
export function useListFile(list: string) {
  const [held, setHeld] = useState<HeldFile | null>(() => heldFile(list));
  const kept = useQuery({
    queryKey: ['kept-file', list],
    queryFn: () => keptFile(list),
    enabled: held === null,
    staleTime: 0,
    structuralSharing: false,
  });
  const hold = (file: HeldFile): HeldFile => {
    holdFile(list, file);
    setHeld(file);
    return file;
  };

  return {
    /** `null` while it is not known. */
    isAtHand: held !== null ? true : kept.isPending ? null : kept.data !== null,
    /** Opens the file that is at hand. */
    open: async (): Promise<HeldFile> => {
      if (held !== null) return held;
      if (!kept.data) throw new FileRefusal('Choose the file again.');
      const { file: blob, name, choices, place } = kept.data;
      const file = new ListFile(blob);
      const { kind } = await file.describe(choices);
      return hold({ file, name, kind, place });
    },
    /** Takes a file that was chosen again, if its addresses are those that were checked. */
    choose: async (chosen: File, { email }: EntryResults): Promise<HeldFile> => {
      const file = new ListFile(chosen);
      try {
        const found = await file.find(email);
        if (found === null) throw new FileRefusal(OTHER_FILE);
        return hold({ file, name: chosen.name, ...found });
      } catch (error) {
        file.close();
        throw error;
      }
    },
  };
}
