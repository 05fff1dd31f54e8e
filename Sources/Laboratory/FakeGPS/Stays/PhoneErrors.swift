internal import Glibc
internal import Tracking

/// How a phone without a constant view of the sky distorts a track: how often its positions come
/// from satellites (4–20 m), from wireless networks (20–100 m), from weak signals (100–200 m), or
/// from a cell tower (500–3,000 m), and how often it is wrong without knowing it.
public struct PhoneErrors: Hashable, Sendable {
    /// Fractions of all fixes, each 0…1; the rest come from satellites.
    public var networks: Double
    public var little: Double
    public var towers: Double
    /// Wrong by 150–800 m while claiming an accuracy of 5–20 m.
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

    /// Returns the accuracy that the phone reports, and the actual error.
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
        // The recorded position already contains a receiver's error.
        return (random.next(in: 4.0...20), 0)
    }

    /// Two errors in three are smaller than the accuracy, which is how phones define it:
    /// it is √(−2 ln 0.32) deviations in each direction.
    private func drawn(_ accuracy: Double, _ random: inout SplitMix64) -> (Double, Double) {
        let deviation = accuracy / 1.51
        return (accuracy, deviation * (-2 * log(1 - random.nextUnit())).squareRoot())
    }
}

extension Track {
    /// Returns the same track as such a phone would report it, at the same times, with accuracies
    /// and errors drawn from a seed.
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

    /// Returns the track there and back again, at the same pace.
    public func thereAndBack() -> Track {
        let back = samples.reversed().map { sample in
            var copy = sample
            copy.offset = duration + duration - sample.offset + .seconds(1)
            return copy
        }
        return Track(samples: samples + back, gapThreshold: gapThreshold)
    }
}
