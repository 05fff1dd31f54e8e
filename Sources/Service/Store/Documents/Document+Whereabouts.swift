import Contract
import JSON
import Tracking

extension JSONWriter {
    mutating func whereabouts(_ whereabouts: Whereabouts) {
        member(DocumentKey.carried, whereabouts.carried) { $0.track($1) }
        if !whereabouts.others.isEmpty {
            members(DocumentKey.others, whereabouts.others) { json, other in
                json.track(other.track)
                json.member(DocumentKey.fix, other.last) { $0.fixMembers($1) }
                if other.isAwaited { json.member(DocumentKey.isAwaited, true) }
                json.member(DocumentKey.cededAt, other.cededAt)
            }
        }
        member(DocumentKey.named, whereabouts.named)
    }

    private mutating func track(_ track: DeviceTrack) {
        member(DocumentKey.device, track.device)
        if let place = track.place { coordinate(place) }
        member(DocumentKey.since, track.since)
        member(DocumentKey.lastAt, track.lastAt)
        if track.hasMoved { member(DocumentKey.hasMoved, true) }
        member(DocumentKey.stray, track.stray) { json, stray in
            json.coordinate(stray.coordinate)
            json.member(DocumentKey.takenAt, stray.takenAt)
        }
    }
}

extension Whereabouts {
    init(_ object: DocumentObject) throws {
        self.init(
            carried: try object.object(ifPresent: DocumentKey.carried) { try DeviceTrack($0) },
            others: try object.objects(ifPresent: DocumentKey.others) { object in
                Other(
                    track: try DeviceTrack(object),
                    last: try Fix(ifPresent: DocumentKey.fix, in: object),
                    isAwaited: try object.bool(ifPresent: DocumentKey.isAwaited) ?? false,
                    cededAt: try object.time(ifPresent: DocumentKey.cededAt))
            },
            named: try object.identifier(ifPresent: DocumentKey.named))
    }
}

extension DeviceTrack {
    fileprivate init(_ object: DocumentObject) throws {
        self.init(
            device: try object.identifier(DocumentKey.device),
            place: try object.object(ifPresent: DocumentKey.coordinate) { _ in
                try Coordinate(in: object)
            },
            since: try object.time(DocumentKey.since),
            hasMoved: try object.bool(ifPresent: DocumentKey.hasMoved) ?? false,
            stray: try object.object(ifPresent: DocumentKey.stray) { object in
                Stray(
                    coordinate: try Coordinate(in: object),
                    takenAt: try object.time(DocumentKey.takenAt))
            },
            lastAt: try object.time(DocumentKey.lastAt))
    }
}
