public import Tracking
internal import Transfer
internal import Webhooks

/// Who is called for somebody in need, and at which number others can call for help, by where the
/// person is.
public struct DispatchAreas: Sendable {
    /// In the order in which they are looked at.
    public let bounded: [Area]
    /// For everywhere else, and for those of whom no position is known.
    public let elsewhere: Area

    public struct Area: Sendable {
        public let name: String
        /// The emergency number.
        public let number: String
        /// The first is called first; each that does not answer is joined by the next one.
        public let ways: [DispatchWay]
        /// Nil: everywhere else.
        public let region: Region?

        public init(name: String, number: String, ways: [DispatchWay], region: Region? = nil) {
            (self.name, self.number, self.ways, self.region) = (name, number, ways, region)
        }
    }

    public init(_ areas: [Area] = [], elsewhere: Area = .usual) {
        (self.bounded, self.elsewhere) = (areas, elsewhere)
    }

    public func area(at coordinate: Coordinate?) -> Area {
        guard let coordinate else { return elsewhere }
        return bounded.first { $0.region?.contains(coordinate) == true } ?? elsewhere
    }

    var all: [Area] { bounded + [elsewhere] }

    /// Whether a program has to be connected to the broker as dispatch to be called first in any area.
    var beginsWithBroker: Bool { all.contains { $0.ways.first == .mqtt } }
}

extension DispatchAreas.Area {
    /// What holds where the operator has said nothing.
    public static let usual = DispatchAreas.Area(name: "everywhere", number: "112", ways: [.mqtt])
}

/// A way to dispatch.
public enum DispatchWay: Hashable, Sendable {
    /// The account `kith:dispatch`.
    case mqtt
    /// A server that is sent requests, signed by the scheme of Standard Webhooks.
    ///
    /// - Parameter secret: as the receiver has it, `whsec_…`.
    case webhook(url: String, secret: String)
    /// A program of the operator's, without a shell: its path, and what it is given.
    case command([String])

    /// In logs, metrics, and results of drills.
    var name: String {
        switch self {
        case .mqtt: "mqtt"
        case .webhook: "webhook"
        case .command: "command"
        }
    }
}
