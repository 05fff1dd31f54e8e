import Tracking

/// The source of all randomness in a simulated world, from one seed.
final class Chance: RandomNumberGenerator {
    private var generator: SplitMix64

    init(seed: UInt64) { generator = SplitMix64(seed: seed) }

    func next() -> UInt64 { generator.next() }

    /// Returns true with the given probability, in percent.
    func happens(_ percent: Int) -> Bool { number(0...99) < percent }

    /// Returns true once in this many times, on average.
    func onceIn(_ times: Int) -> Bool { number(1...times) == 1 }

    func number(_ range: ClosedRange<Int>) -> Int {
        var this = self
        return Int.random(in: range, using: &this)
    }

    func milliseconds(_ range: ClosedRange<Int>) -> Duration { .milliseconds(number(range)) }

    func pick<Element>(_ elements: [Element]) -> Element? {
        elements.isEmpty ? nil : elements[number(0...elements.count - 1)]
    }

    /// Picks one of the choices by weight.
    func choose<Choice>(_ choices: [(weight: Int, choice: Choice)]) -> Choice? {
        let total = choices.reduce(0) { $0 + $1.weight }
        guard total > 0 else { return nil }
        var place = number(1...total)
        for (weight, choice) in choices {
            place -= weight
            if place <= 0 { return choice }
        }
        return nil
    }
}

/// The engine's randomness: reseeded with each transaction, so that replaying a turn elsewhere
/// draws the same numbers.
final class Dice: RandomNumberGenerator {
    private var generator = SplitMix64(seed: 0)

    func begin(_ seed: UInt64) { generator = SplitMix64(seed: seed) }
    func next() -> UInt64 { generator.next() }
}
