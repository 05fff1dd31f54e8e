internal import Numbers

/// A quantity counted in bands. The bands are fixed: nothing about them comes from the data.
public enum Quantity: Int, Hashable, Sendable, CaseIterable {
    /// Beats per minute.
    case heartRate
    /// In percent.
    case oxygenSaturation
    /// Breaths per minute.
    case respiratoryRate
    /// Millimetres of mercury.
    case systolicPressure, diastolicPressure
    /// Degrees Celsius.
    case bodyTemperature
    /// Metres per day.
    case distance

    /// As in the answers: `heartRate`.
    public var name: String { "\(self)" }

    public init?(name: String) {
        guard let quantity = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = quantity
    }

    public var bands: Bands {
        switch self {
        case .heartRate: Bands(from: 30, width: 10, count: 16)
        case .oxygenSaturation: Bands(from: 80, width: 2, count: 10)
        case .respiratoryRate: Bands(from: 4, width: 4, count: 8)
        case .systolicPressure: Bands(from: 80, width: 10, count: 12)
        case .diastolicPressure: Bands(from: 40, width: 10, count: 8)
        case .bodyTemperature: Bands(from: 34, width: 0.5, count: 16)
        case .distance: Bands(from: 0, width: 2000, count: 15, isFirstWide: true)
        }
    }
}

/// Adjacent intervals of one width. Values outside belong to the first or the last.
public struct Bands: Hashable, Sendable {
    public let lowerBound: Double
    public let width: Double
    public let count: Int
    /// Whether values differ widely within the first band; then no number is computed from it.
    public let isFirstWide: Bool

    init(from lowerBound: Double, width: Double, count: Int, isFirstWide: Bool = false) {
        (self.lowerBound, self.width, self.count) = (lowerBound, width, count)
        self.isFirstWide = isFirstWide
    }

    /// Values below this bound are reported only as below it.
    public var leastTold: Double { isFirstWide ? lowerBound + width : lowerBound }

    public var upperBound: Double { lowerBound + width * Double(count) }

    public func lowerBound(ofBand index: Int) -> Double { lowerBound + width * Double(index) }

    func clamp(_ value: Double) -> Double { min(max(value, lowerBound), upperBound) }

    /// The band of a value; that of NaN, which ``Contribution`` leaves out, is the first.
    func index(of value: Double) -> Int {
        min(Int(clamping: (clamp(value) - lowerBound) / width), count - 1)
    }
}
