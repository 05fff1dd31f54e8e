public import Tracking
internal import Transfer
internal import Webhooks

/// The ways to dispatch and the emergency number, by the position of the person in need.
public struct DispatchAreas: Sendable {
    /// The areas in the order of their precedence.
    public let bounded: [Area]
    /// The area for everywhere else, and for unknown positions.
    public let elsewhere: Area

    public struct Area: Sendable {
        public let name: String
        /// The emergency number.
        public let number: String
        /// The first is called first; if it does not answer, the next one is called as well.
        public let ways: [DispatchWay]
        /// Nil for everywhere else.
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

    /// Whether any area first calls a program connected to the broker as dispatch.
    var beginsWithBroker: Bool { all.contains { $0.ways.first == .mqtt } }
}

extension DispatchAreas.Area {
    /// The default without a setting.
    public static let usual = DispatchAreas.Area(name: "everywhere", number: "112", ways: [.mqtt])
}

/// A way to dispatch.
public enum DispatchWay: Hashable, Sendable {
    /// The account `kith:dispatch`.
    case mqtt
    /// A server that receives requests, signed as specified by Standard Webhooks.
    ///
    /// - Parameter secret: in the receiver's form, `whsec_…`.
    case webhook(url: String, secret: String)
    /// A program of the operator's, run without a shell: its path and arguments.
    case command([String])

    /// The name in logs, metrics and drill results.
    var name: String {
        switch self {
        case .mqtt: "mqtt"
        case .webhook: "webhook"
        case .command: "command"
        }
    }
}
