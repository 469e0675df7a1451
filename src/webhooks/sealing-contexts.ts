/** The secret of an endpoint opens for its endpoint alone. */
export function secretContext(endpointId: string): Buffer {
  return Buffer.from(`webhook secret:${endpointId}`);
}

/** What is sent and what is answered may contain addresses: each text opens for its delivery alone. */
export function deliveryContext(deliveryId: string): Buffer {
  return Buffer.from(`webhook delivery:${deliveryId}`);
}
