import { Logger, type ArgumentsHost } from '@nestjs/common';
import { serviceUnavailable } from '../errors/service-unavailable.js';
import { ErrorFilter } from './error.filter.js';

it('logs why a request could not be served down to the first cause', () => {
  const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
  const http = { getRequest: () => ({ id: 'r1' }), getResponse: () => ({ sent: true }) };
  const thrown = serviceUnavailable(new Error('nothing was charged', { cause: new Error('the server is read-only') }));
  new ErrorFilter().catch(thrown, { switchToHttp: () => http } as unknown as ArgumentsHost);
  expect(warn).toHaveBeenCalledWith(
    { requestId: 'r1', code: 'service_unavailable', why: 'nothing was charged: the server is read-only' },
    'request could not be served',
  );
});
