import { useEffect } from 'react';

/** What has a name that a screen reader says. */
const PLACES = 'table, section, main';

/**
 * When what had the focus is taken away, such as a row that was deleted or a dialog, gives it to what had it before, or
 * to what stood around that. The browser would drop it, and a reader with a keyboard begin again at the top.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let focused: Element | null = null;
    let behindDialogs: HTMLElement | null = null;
    let around: readonly HTMLElement[] = [];
    const remember = ({ target }: FocusEvent): void => {
      if (!(target instanceof HTMLElement)) return;
      focused = target;
      if (target.closest('[role=dialog], [role=alert]') !== null) return;
      behindDialogs = target;
      around = placesAround(target);
    };
    // A click on nothing gives the focus up.
    const forget = (): void => {
      focused = null;
    };
    const observer = new MutationObserver(() => {
      if (focused === null || focused.isConnected || document.activeElement !== document.body) return;
      const next = [behindDialogs, ...around].find((one) => one?.isConnected) ?? document.querySelector('main');
      // None yet: the page is on its way.
      if (next === null) return;
      if (next !== behindDialogs && !next.hasAttribute('tabindex')) next.tabIndex = -1;
      next.focus({ preventScroll: true });
    });
    addEventListener('focusin', remember);
    addEventListener('pointerdown', forget, { capture: true });
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      removeEventListener('focusin', remember);
      removeEventListener('pointerdown', forget, { capture: true });
      observer.disconnect();
    };
  }, []);
}

function placesAround(element: HTMLElement): HTMLElement[] {
  const place = element.parentElement?.closest<HTMLElement>(PLACES);
  return place ? [place, ...placesAround(place)] : [];
}
