import Contract
import JSON
import Tracking

extension JSONWriter {
    mutating func coordinate(_ coordinate: Coordinate) {
        member(DocumentKey.coordinate, coordinate) { json, coordinate in
            json.member(DocumentKey.latitude, Int64(coordinate.latitudeE7))
            json.member(DocumentKey.longitude, Int64(coordinate.longitudeE7))
        }
    }

    mutating func fixMembers(_ fix: Fix) {
        coordinate(fix.coordinate)
        member(DocumentKey.takenAt, fix.takenAt)
        member(DocumentKey.receivedAt, fix.receivedAt)
        member(DocumentKey.accuracy, fix.accuracy)
        member(DocumentKey.altitude, fix.altitude)
        member(DocumentKey.altitudeAccuracy, fix.altitudeAccuracy)
        member(DocumentKey.heading, fix.heading)
        member(DocumentKey.speed, fix.speed)
        member(DocumentKey.battery, fix.battery)
        member(DocumentKey.sequence, fix.sequence)
    }

    mutating func destination(_ destination: Destination) {
        coordinate(destination.coordinate)
        member(DocumentKey.name, destination.name)
        member(DocumentKey.radius, destination.radius)
    }

    mutating func alertMembers(_ alert: Alert) {
        member(DocumentKey.id, alert.id.description)
        member(DocumentKey.kind, alert.kind.rawValue)
        member(DocumentKey.group, alert.group)
        member(DocumentKey.at, alert.at)
        member(DocumentKey.fix, alert.fix) { $0.fixMembers($1) }
        member(DocumentKey.destination, alert.destination) { $0.destination($1) }
        member(DocumentKey.eta, alert.eta)
        if alert.journeyWaits { member(DocumentKey.journeyWaits, true) }
        if alert.isClockWrong { member(DocumentKey.isClockWrong, true) }
    }
}

extension Coordinate {
    /// - Parameter object: the object that has the coordinate as a member.
    init(in object: DocumentObject) throws {
        let coordinate = try object.object(DocumentKey.coordinate)
        self = try object.required(
            Coordinate(
                latitudeE7: try coordinate.integer(DocumentKey.latitude),
                longitudeE7: try coordinate.integer(DocumentKey.longitude)))
    }
}

extension Fix {
    init(_ object: DocumentObject) throws {
        self.init(
            coordinate: try Coordinate(in: object),
            takenAt: try object.time(DocumentKey.takenAt),
            receivedAt: try object.time(DocumentKey.receivedAt),
            accuracy: try object.number(ifPresent: DocumentKey.accuracy),
            altitude: try object.number(ifPresent: DocumentKey.altitude),
            altitudeAccuracy: try object.number(ifPresent: DocumentKey.altitudeAccuracy),
            heading: try object.number(ifPresent: DocumentKey.heading),
            speed: try object.number(ifPresent: DocumentKey.speed),
            battery: try object.number(ifPresent: DocumentKey.battery),
            sequence: try object.integer(ifPresent: DocumentKey.sequence))
    }

    /// - Parameter key: the member with the fix; the result is nil if there is none.
    init?(ifPresent key: StaticString, in object: DocumentObject) throws {
        let fix = try object.object(ifPresent: key) { try Fix($0) }
        guard let fix else { return nil }
        self = fix
    }
}

extension Destination {
    init(_ object: DocumentObject) throws {
        self.init(
            coordinate: try Coordinate(in: object),
            name: try object.string(ifPresent: DocumentKey.name),
            radius: try object.number(ifPresent: DocumentKey.radius))
    }
}

extension Alert {
    init(_ object: DocumentObject) throws {
        let id = try object.string(ifPresent: DocumentKey.id).flatMap { UUIDv7($0) }
        self.init(
            id: try object.required(id), kind: try object.word(DocumentKey.kind),
            group: try object.identifier(DocumentKey.group), at: try object.time(DocumentKey.at),
            fix: try Fix(ifPresent: DocumentKey.fix, in: object),
            destination: try object.object(ifPresent: DocumentKey.destination) { object in
                try Destination(object)
            },
            eta: try object.time(ifPresent: DocumentKey.eta),
            journeyWaits: try object.bool(ifPresent: DocumentKey.journeyWaits) ?? false,
            isClockWrong: try object.bool(ifPresent: DocumentKey.isClockWrong) ?? false)
    }
}
