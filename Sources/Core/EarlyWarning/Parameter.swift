/// The parameters of the National Early Warning Score 2.
///
/// Royal College of Physicians: *National Early Warning Score (NEWS) 2. Standardising the
/// assessment of acute-illness severity in the NHS*, London 2017, chart 1; oxygen saturation by
/// scale 1. Whether a person breathes air or oxygen is not known here, and not counted.
public enum Parameter: String, Hashable, Sendable, CaseIterable {
    /// Breaths per minute.
    case respiration
    /// Percent.
    case oxygenSaturation
    /// Millimetres of mercury.
    case systolicPressure
    /// Beats per minute.
    case pulse
    /// 0: alert; 1: new confusion, or responsive to voice or to pain only, or unresponsive.
    case consciousness
    /// Degrees Celsius.
    case temperature

    /// Returns the points of a value, 0 to 3. Values between two steps of the chart count as the
    /// nearer one.
    public func points(of value: Double) -> Int {
        let steps = self == .temperature ? value * 10 : value
        let step = steps.rounded()
        guard step.isFinite else { return 0 }
        return bands.first { step <= $0.upTo }?.points ?? pointsAbove
    }

    /// Returns whether exertion, rather than illness, may explain a high value. No effort raises a
    /// healthy heart rate beyond 210, or breathing beyond 70.
    func isExplainedByExertion(_ value: Double) -> Bool {
        switch self {
        case .pulse: value > 90 && !isBeyondExertion(value)
        case .respiration: value > 20 && !isBeyondExertion(value)
        default: false
        }
    }

    /// Returns whether a value is higher than any effort makes it.
    func isBeyondExertion(_ value: Double) -> Bool {
        switch self {
        case .pulse: value > 210
        case .respiration: value > 70
        default: false
        }
    }

    /// An extreme value is too high above this middle, and too low otherwise.
    var middle: Double {
        switch self {
        case .respiration: 16
        case .oxygenSaturation: 100
        case .systolicPressure: 160
        case .pulse: 70
        case .consciousness: 0
        case .temperature: 37
        }
    }

    /// In ascending order; the temperature in tenths of a degree.
    private var bands: [(upTo: Double, points: Int)] {
        switch self {
        case .respiration: [(8, 3), (11, 1), (20, 0), (24, 2)]
        case .oxygenSaturation: [(91, 3), (93, 2), (95, 1)]
        case .systolicPressure: [(90, 3), (100, 2), (110, 1), (219, 0)]
        case .pulse: [(40, 3), (50, 1), (90, 0), (110, 1), (130, 2)]
        case .consciousness: [(0, 0)]
        case .temperature: [(350, 3), (360, 1), (380, 0), (390, 1)]
        }
    }

    private var pointsAbove: Int {
        switch self {
        case .respiration, .systolicPressure, .pulse, .consciousness: 3
        case .oxygenSaturation: 0
        case .temperature: 2
        }
    }
}

extension Parameter: Comparable {
    /// Orders parameters as the chart lists them.
    public static func < (left: Parameter, right: Parameter) -> Bool {
        left.place < right.place
    }

    private var place: Int { Parameter.allCases.firstIndex(of: self) ?? 0 }
}
