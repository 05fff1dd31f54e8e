public import Tracking

/// A wearable's measurements at one moment.
public struct VitalSigns: Hashable, Sendable {
    public let takenAt: Timestamp
    public let receivedAt: Timestamp
    private let values: [Quantity: Double]
    public let consciousness: Consciousness?
    public let activity: Activity?
    /// The device's own number, the same sequence as that of its fixes.
    public let sequence: Int64?

    /// A quantity that is measured as a number.
    public enum Quantity: String, Hashable, Sendable, CaseIterable {
        /// Beats per minute.
        case heartRate
        /// Oxygen saturation of the blood, in percent.
        case oxygenSaturation
        /// Breaths per minute.
        case respiratoryRate
        /// Millimetres of mercury.
        case systolicPressure
        /// Millimetres of mercury.
        case diastolicPressure
        /// Degrees Celsius.
        case bodyTemperature

        /// The values that a living person can have and a device may report. Values outside are
        /// omitted; merely abnormal ones are data.
        public var range: ClosedRange<Double> { measurable.range }

        var measurable: Measurable {
            switch self {
            case .heartRate: Quantity.ofHeart
            case .oxygenSaturation: Quantity.ofOxygen
            case .respiratoryRate: Quantity.ofBreath
            case .systolicPressure: Quantity.ofSystole
            case .diastolicPressure: Quantity.ofDiastole
            case .bodyTemperature: Quantity.ofWarmth
            }
        }

        /// 255, FIT's invalid value of a byte, is also reported by wristbands that are not worn.
        private static let ofHeart = Measurable(1...500, none: [0xFF])
        /// 1 is excluded, because devices that report fractions mean 100 percent by it.
        private static let ofOxygen = Measurable(1...100, none: [1])
        /// 0 is reported by devices that do not count breaths.
        private static let ofBreath = Measurable(0...150, none: [0, 0x7F])
        private static let ofSystole = Measurable(1...400, none: [0xFF])
        private static let ofDiastole = Measurable(0...400, none: [0, 0xFF])
        private static let ofWarmth = Measurable(10...50)
    }

    /// The levels of the National Early Warning Score 2 (Royal College of Physicians, 2017).
    public enum Consciousness: String, Hashable, Sendable, CaseIterable {
        case alert
        /// New confusion, or responsive to voice or to pain only, or unresponsive.
        case cvpu
    }

    /// The person's activity during the measurement.
    public enum Activity: String, Hashable, Sendable, CaseIterable { case rest, exercise, sleep }

    public init(
        takenAt: Timestamp, receivedAt: Timestamp, _ values: [Quantity: Double],
        consciousness: Consciousness? = nil, activity: Activity? = nil, sequence: Int64? = nil
    ) {
        (self.takenAt, self.receivedAt, self.values) = (takenAt, receivedAt, values)
        (self.consciousness, self.activity) = (consciousness, activity)
        self.sequence = sequence
    }

    public subscript(_ quantity: Quantity) -> Double? { values[quantity] }

    // MARK: Kinds

    /// The kinds of values in a sample, as a set of bits that never change: they are stored in the
    /// database.
    public struct Kinds: OptionSet, Hashable, Sendable {
        public let rawValue: Int64

        public init(rawValue: Int64) { self.rawValue = rawValue }

        init(_ quantity: Quantity) {
            rawValue =
                switch quantity {
                case .heartRate: 1
                case .oxygenSaturation: 2
                case .respiratoryRate: 4
                case .systolicPressure: 8
                case .diastolicPressure: 16
                case .bodyTemperature: 32
                }
        }

        static let consciousness = Kinds(rawValue: 64)
        static let activity = Kinds(rawValue: 128)
    }

    public var kinds: Kinds {
        var kinds = values.keys.reduce(into: Kinds()) { $0.insert(Kinds($1)) }
        if consciousness != nil { kinds.insert(.consciousness) }
        if activity != nil { kinds.insert(.activity) }
        return kinds
    }

    /// Returns the sample with only these kinds.
    public func only(_ kinds: Kinds) -> VitalSigns {
        VitalSigns(
            takenAt: takenAt, receivedAt: receivedAt,
            values.filter { kinds.contains(Kinds($0.key)) },
            consciousness: kinds.contains(.consciousness) ? consciousness : nil,
            activity: kinds.contains(.activity) ? activity : nil, sequence: sequence)
    }
}
