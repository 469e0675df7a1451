import { notifications } from '@mantine/notifications';
import { ApiError } from '../api/client';
import { Icon } from './icons';
import { adviceOn, messageOf } from './states';

/** Says in the corner that something was done. */
export function toastDone(message: string): void {
  notifications.show({ message, color: 'teal.8', icon: <Icon name="check" size={16} />, autoClose: 4000 });
}

/** Says that something was not done, why, what to do, and the request's id. It stays until it is closed. */
export function toastFailure(error: unknown): void {
  const requestId = error instanceof ApiError ? error.requestId : null;
  notifications.show({
    title: messageOf(error),
    message: `${adviceOn(error)}${requestId ? ` Request ${requestId}.` : ''}`,
    color: 'red.9',
    icon: <Icon name="warning" size={16} />,
    autoClose: false,
    role: 'alert',
  });
}
