/** The same function, called once for each object: for what is made of the tables of the sandbox, which are there for good. */
export function oncePer<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new WeakMap<Key, { readonly value: Value }>();
  return (key) => {
    let known = made.get(key);
    if (known === undefined) {
      known = { value: make(key) };
      made.set(key, known);
    }
    return known.value;
  };
}
