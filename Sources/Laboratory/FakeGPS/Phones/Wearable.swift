internal import Contract
internal import JSON
internal import Tracking

/// An invented person's watch, whose measurements follow the person's speed.
public struct Wearable: Hashable, Sendable {
    /// How often it measures.
    static let interval = Duration.seconds(60)
    private static let towns = ["Ljubljana", "Maribor", "Milano", "Lodi"]

    let gender: HealthProfile.Gender
    let yearOfBirth: Int
    let residence: String
    /// Beats per minute.
    let restingRate: Double
    private let seed: UInt64

    /// - Parameter seed: the same person has the same one.
    public init(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        gender = HealthProfile.Gender.allCases.randomElement(using: &random) ?? .other
        yearOfBirth = .random(in: 1940...2005, using: &random)
        residence = Wearable.towns.randomElement(using: &random) ?? ""
        restingRate = .random(in: 52...74, using: &random)
        self.seed = seed
    }

    /// A request that agrees to storing vital signs and describes the person.
    public var introduction: Phone.Action {
        Phone.Action(at: .zero, method: "health.profile") { json, _ in
            json.key("acceptPrivacyStatement")
            json.bool(true)
            json.key("gender")
            json.string(gender.rawValue)
            json.key("dateOfBirth")
            json.string("\(yearOfBirth)-06-15")
            json.key("residence")
            json.string(residence)
        }
    }

    /// Returns the measurements with a fix.
    func vitals(with fix: Fix) -> VitalSigns {
        var random = SplitMix64(seed: seed ^ UInt64(bitPattern: fix.takenAt.milliseconds))
        func rounded(_ value: Double) -> Double { (value * 10).rounded() / 10 }
        let effort = Wearable.effort(at: fix.speed ?? 0)
        return VitalSigns(
            takenAt: fix.takenAt, receivedAt: fix.receivedAt,
            [
                .heartRate: (restingRate + 110 * effort + .random(in: -4...4, using: &random))
                    .rounded(),
                .oxygenSaturation: Double.random(in: 95...99, using: &random).rounded(),
                .respiratoryRate: (14 + 20 * effort + .random(in: -1...1, using: &random))
                    .rounded(),
                .bodyTemperature: rounded(36.6 + effort + .random(in: -0.2...0.2, using: &random)),
            ])
    }

    /// Returns the effort, from 0, at rest or in a vehicle, to 1, in a sprint. A person faster than
    /// people run is in a vehicle.
    static func effort(at speed: Double) -> Double {
        let fastest = 7.0
        return speed > fastest ? 0 : max(speed, 0) / fastest
    }
}
