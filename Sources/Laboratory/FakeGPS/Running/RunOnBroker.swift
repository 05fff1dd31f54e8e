public import Contract
internal import JSON
public import MQTT
public import Racing
public import Tracking

/// A run as published by the service.
public struct RunOnBroker: Sendable {
    public let id: Name
    public let course: Course
    public let startsAt: Timestamp

    public enum Failure: Error, Hashable, Sendable, CustomStringConvertible {
        case unknown
        case unreadable

        public var description: String {
            switch self {
            case .unknown: "there is no such run, or it is over."
            case .unreadable: "the service's data about the run cannot be read."
            }
        }
    }

    /// Queries the broker, for a few seconds at most.
    ///
    /// - Throws: ``Failure``, or an `MQTTError`.
    public init(_ id: Name, _ options: ConnectionOptions, _ topics: TopicSpace) throws {
        let connection = try Connection(options)
        try connection.open()
        try connection.subscribe(to: [topics.string(.run(id))])
        let message: Message
        do throws(MQTTError) {
            // At least one message, or none arrived in time.
            message = try connection.next(within: RunOnBroker.patience)[0]
        } catch {
            throw Failure.unknown
        }
        connection.disconnect()
        try connection.release()
        guard let run = JSONValue.of(message.payload), let course = RunOnBroker.course(run),
            let startsAt = run["startsAt"]?.text.flatMap({ Timestamp(rfc3339: $0) })
        else { throw Failure.unreadable }
        (self.id, self.course, self.startsAt) = (id, course, startsAt)
    }

    private static let patience = Duration.seconds(5)

    private static func course(_ run: JSONValue) -> Course? {
        let points = run["course"]?["coordinates"]?.elements.compactMap { place -> Coordinate? in
            let numbers = place.elements.compactMap { number -> Double? in
                if case .number(let number) = number { number } else { nil }
            }
            guard numbers.count >= 2 else { return nil }
            return Coordinate(latitude: numbers[1], longitude: numbers[0])
        }
        do throws(Course.Invalid) {
            return try Course(points ?? [], laps: Int(run["laps"]?.integer ?? 1))
        } catch {
            return nil
        }
    }

    /// Returns a request of a runner's phone to take part, under an invented name.
    ///
    /// - Parameter number: the runner's number.
    public func enrolment(of number: Int) -> Phone.Action {
        Phone.Action(at: .zero, method: "run.enrol") { json, _ in
            json.key("run")
            json.string(id.text)
            guard !number.isMultiple(of: 4) else { return }
            json.key("name")
            json.string("\(RunOnBroker.names[number % RunOnBroker.names.count]) \(number)")
        }
    }

    private static let names = [
        "Hannah", "Max", "Ida", "Olle", "Zoë", "Åke", "Noor", "Kofi", "Mei", "Luz", "Jan",
    ]
}

extension JSONValue {
    fileprivate static func of(_ payload: [UInt8]) -> JSONValue? {
        do throws(JSONError) { return try parse(payload) } catch { return nil }
    }
}
