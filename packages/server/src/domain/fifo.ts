/** First in, first out, for any length: taking the first of 100,000 from an array would move all the others. */
export class Fifo<Item> {
  #items: Item[] = [];
  #first = 0;

  get size(): number {
    return this.#items.length - this.#first;
  }

  add(item: Item): void {
    this.#items.push(item);
  }

  take(): Item | undefined {
    const item = this.#items[this.#first];
    if (this.size === 0) return undefined;
    this.#first += 1;
    // What was taken is let go of when it is half of all, so each item is moved once at most.
    if (this.#first * 2 >= this.#items.length) {
      this.#items = this.#items.slice(this.#first);
      this.#first = 0;
    }
    return item;
  }
}
