internal import Glibc
internal import Tracking

/// What a phone that has not always the sky above it makes of a way: how often its positions come
/// from satellites (4–20 m), from wireless networks (20–100 m), from little (100–200 m), or from a
/// cell tower (500–3,000 m), and how often it errs without knowing.
public struct PhoneErrors: Hashable, Sendable {
    /// Of all fixes, each 0…1; the rest are from satellites.
    public var networks: Double
    public var little: Double
    public var towers: Double
    /// Off by 150–800 m, and said to be within 5–20 m.
    public var mistakes: Double

    public static let street = PhoneErrors(
        networks: 0.15, little: 0.03, towers: 0.02, mistakes: 0.002)
    public static let town = PhoneErrors(
        networks: 0.4, little: 0.1, towers: 0.1, mistakes: 0.01)
    public static let indoors = PhoneErrors(
        networks: 0.6, little: 0.3, towers: 0.05, mistakes: 0.01)

    public init(networks: Double, little: Double, towers: Double, mistakes: Double) {
        self.networks = networks
        self.little = little
        self.towers = towers
        self.mistakes = mistakes
    }

    /// The accuracy that the phone names, and how far off it is.
    fileprivate func draw(_ random: inout SplitMix64) -> (accuracy: Double, error: Double) {
        var number = random.nextUnit()
        func takes(_ share: Double) -> Bool {
            number -= share
            return number < 0
        }
        if takes(towers) { return drawn(500 * pow(6, random.nextUnit()), &random) }
        if takes(little) { return drawn(random.next(in: 100.0...200), &random) }
        if takes(networks) { return drawn(random.next(in: 20.0...100), &random) }
        if takes(mistakes) { return (random.next(in: 5.0...20), random.next(in: 150.0...800)) }
        // The recorded position has a receiver's error already.
        return (random.next(in: 4.0...20), 0)
    }

    /// Two errors in three are smaller than the accuracy, as phones mean it: it is
    /// √(−2 ln 0.32) deviations in each direction.
    private func drawn(_ accuracy: Double, _ random: inout SplitMix64) -> (Double, Double) {
        let deviation = accuracy / 1.51
        return (accuracy, deviation * (-2 * log(1 - random.nextUnit())).squareRoot())
    }
}

extension Track {
    /// The same way as such a phone tells it, at the same times: accuracies and errors are
    /// invented, from a seed.
    public func told(with errors: PhoneErrors, seed: UInt64) -> Track {
        var random = SplitMix64(seed: seed)
        let told = samples.map { sample in
            var copy = sample
            let (accuracy, error) = errors.draw(&random)
            let angle = 2 * Double.pi * random.nextUnit()
            copy.accuracy = accuracy
            copy.coordinate = LocalPlane(origin: sample.coordinate).coordinate(
                at: Vector(east: error * cos(angle), north: error * sin(angle)))
            return copy
        }
        return Track(samples: told, gapThreshold: gapThreshold)
    }

    /// There and back again, at the same pace.
    public func thereAndBack() -> Track {
        let back = samples.reversed().map { sample in
            var copy = sample
            copy.offset = duration + duration - sample.offset + .seconds(1)
            return copy
        }
        return Track(samples: samples + back, gapThreshold: gapThreshold)
    }
}
