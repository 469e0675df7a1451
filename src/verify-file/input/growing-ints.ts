/** Numbers of a file of millions of rows, without an object each. */
export class GrowingInts {
  length = 0;
  private numbers = new Int32Array(1024);

  push(number: number): void {
    if (this.length === this.numbers.length) {
      const larger = new Int32Array(this.numbers.length * 2);
      larger.set(this.numbers);
      this.numbers = larger;
    }
    this.numbers[this.length++] = number;
  }

  done(): Int32Array {
    return this.numbers.slice(0, this.length);
  }
}
