internal import JSON

/// The valid values of a measured field, and its values for "no reading".
///
/// The values for "no reading" are those of the formats of devices and bands: FIT (a type's invalid
/// value has all bits set, a signed type's all but the first: FIT Protocol, Base Types), SFLOAT and
/// FLOAT of IEEE 11073-20601 (NaN, NRes, the infinities: GATT Specification Supplement), the
/// characteristics of Bluetooth (0x8000), and 0 and −1 of bands and phones.
public struct Measurable: Sendable {
    public let range: ClosedRange<Double>
    /// Values within the range that mean "no reading".
    private let none: [Double]

    init(_ range: ClosedRange<Double>, none: [Double] = []) {
        (self.range, self.none) = (range, none)
    }

    /// Values that mean "no reading" wherever they cannot be a measurement.
    private static let unknown: Set<Double> = [
        0, -1,
        // Of 8, 16 and 32 bits, and of 16 in tenths and hundredths.
        0x7F, 0xFF, 0x7FFF, 0xFFFF, 0x7FFF_FFFF, 0xFFFF_FFFF,
        3276.7, 327.67, 6553.5, 655.35,
        // The first bit alone.
        -0x80, 0x8000, -0x8000, -3276.8, -327.68, 0x8000_0000, -0x8000_0000,
        // SFLOAT and FLOAT: +∞, NaN, NRes, reserved, −∞.
        0x7FE, 0x7FF, 0x800, 0x801, 0x802,
        0x7F_FFFE, 0x7F_FFFF, 0x80_0000, 0x80_0001, 0x80_0002,
    ]

    /// Whether the value stands for a missing reading.
    func isNone(_ value: Double) -> Bool {
        range.contains(value) ? none.contains(value) : Measurable.unknown.contains(value)
    }

    /// The value, if it can be a measurement.
    public func reading(_ value: Double) -> Double? {
        range.contains(value) && !isNone(value) ? value : nil
    }
}

// MARK: Of a fix

extension Measurable {
    /// Metres, from below the deepest sea to low orbits; FIT's invalid altitude is 12,607 m
    /// (0xFFFF / 5 − 500).
    public static let altitude = Measurable(
        -12_000...2_000_000, none: [12_607, 0x7FFF, 0xFFFF])
    /// Metres; half the earth's circumference means "anywhere".
    static let altitudeAccuracy = Measurable(FixLimits.accuracyRange)
    /// Degrees from north.
    public static let heading = Measurable(0...360)
    /// Metres per second, up to escape velocity; FIT's invalid speed is 65.535 m/s.
    public static let speed = Measurable(0...11_200, none: [65.535])
    /// Percent.
    static let battery = Measurable(0...100)
}

extension Fields {
    /// Reads a measurement. "No reading" counts as absent, and impossible values are omitted.
    mutating func measured(_ field: String, _ kind: Measurable) -> Double? {
        if case .number(let number)? = self[field], kind.isNone(number) { return nil }
        return leavingOut { $0.number(ifPresent: field, in: kind.range) }
    }
}
