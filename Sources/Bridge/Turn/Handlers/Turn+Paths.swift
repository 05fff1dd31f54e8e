import Contract
import MQTT
import Store
import Tracking

extension Turn {
    /// To be shown anew at the end of the turn, from the segment that holds `from`, or whole.
    func notePath(of person: Person, _ groups: [GroupID], from: Timestamp?) {
        for group in groups {
            let key = Memory.PathKey(group: group, user: person.id)
            if let noted = pathsToShow[key], let earlier = noted, let from {
                pathsToShow[key] = .some(min(earlier, from))
            } else if pathsToShow[key] == nil {
                pathsToShow[key] = .some(from)
            } else {
                pathsToShow[key] = .some(nil)
            }
        }
    }

    func endPath(_ number: Int64, of person: Person, withdrawn: Bool) throws(StoreError) {
        let groups = try transaction.groups(ofPath: number, of: person.id)
        try transaction.endPath(number, of: person.id, at: now)
        guard withdrawn else {
            // The points of this turn are still to be shown, of a path that the tracker has
            // closed.
            if person.pending.contains(.pathTail) || person.isTailHeldBack {
                notePath(of: person, groups, from: person.tracker.latest?.takenAt)
            }
            return
        }
        try transaction.withdrawPath(number, of: person.id)
        notePath(of: person, groups, from: nil)
    }

    /// Puts on the broker what each group may see of each path that changed otherwise than by
    /// growing, and removes what is too much there.
    func showPaths() throws(StoreError) {
        for (key, from) in pathsToShow.sorted(by: { $0.key < $1.key }) {
            guard let person = memory.people[key.user], let group = memory.groups[key.group]
            else { continue }
            try charge(person.budget) { () throws(StoreError) in
                try reloadTail(of: person)
                try showPath(of: person, to: group, from: from)
            }
        }
        pathsToShow = [:]
    }

    private func showPath(of person: Person, to group: Group, from: Timestamp?)
        throws(StoreError)
    {
        let key = Memory.PathKey(group: group.id, user: person.id)
        var segment = 1
        if let path = try transaction.visiblePath(of: person.id, to: group.id) {
            if let from {
                let before = try transaction.pathLength(path.number, of: person.id, before: from)
                segment += before / Path.segmentLength
            }
            for message in try transaction.segments(of: path, from: segment) {
                retain(.path(group.key, person.name, segment: segment), message.payload)
                segment += 1
            }
        }
        let published = memory.publishedSegments[key] ?? 0
        for superfluous in segment..<max(segment, published + 1) {
            retain(.path(group.key, person.name, segment: superfluous), [])
        }
        memory.publishedSegments[key] = segment > 1 ? segment - 1 : nil
    }

    /// After points came in between, only the store knows what the last segment holds.
    private func reloadTail(of person: Person) throws(StoreError) {
        guard let path = person.tracker.path else { return }
        let count = try transaction.pathLength(path.number, of: person.id)
        let start = max(0, (count - 1) / Path.segmentLength * Path.segmentLength)
        let tail = try transaction.pathPoints(
            path.number, of: person.id, from: start, count: Path.segmentLength)
        person.tracker.replacePath(count: count, tail: tail)
        note(.save, person)
    }

    func publishPathTail(of person: Person) {
        guard let path = person.tracker.path, path.lastSegment > 0 else { return }
        publish(person, path, path.lastSegment, path.tail, qos: .atMostOnce)
    }

    func publishSegment(of person: Person, _ segment: Int, _ points: [Path.Point]) {
        guard let path = person.tracker.path else { return }
        publish(person, path, segment, points, qos: .atLeastOnce)
    }

    private func publish(
        _ person: Person, _ path: Path, _ segment: Int, _ points: [Path.Point], qos: QoS
    ) {
        let payload = PathSegment(segment: segment, mode: path.mode, points: points).payload
        for group in path.groups.compactMap({ memory.groups[$0] }) {
            retain(.path(group.key, person.name, segment: segment), payload, qos: qos)
            let key = Memory.PathKey(group: group.id, user: person.id)
            memory.publishedSegments[key] = max(memory.publishedSegments[key] ?? 0, segment)
        }
    }

    // MARK: path.get

    /// Points in one answer; they fit into a payload of 64 KiB in either format.
    private static let pageLength = 400

    func getPath(_ request: Command.PathRequest, by asker: Person) throws(Refused) -> [UInt8] {
        let group = try group(request.group, of: asker)
        guard let person = group.members.first(where: { $0.name == request.user }) else {
            throw .problem(Problem(.notAMember, "That user is not a member of the group."))
        }
        return try stored { transaction throws(StoreError) in
            let path =
                person === asker
                ? try transaction.latestPath(of: person.id)
                : try transaction.visiblePath(of: person.id, to: group.id)
            var points: [Path.Point] = []
            var total = 0
            if let path {
                total = try transaction.pathLength(path.number, of: person.id)
                points = try transaction.pathPoints(
                    path.number, of: person.id, from: request.cursor, count: Turn.pageLength)
            }
            let document = PathDocument(
                user: person.name, name: person.displayName, mode: path?.mode,
                startedAt: path?.startedAt, points: points)
            let next = request.cursor + points.count
            return JSONWriter.object { json in
                json.key("path")
                switch request.format {
                case .geojson: json.raw(document.geoJSON)
                case .gpx: json.string(document.gpx)
                }
                json.key("next")
                if next < total, !points.isEmpty { json.string(String(next)) } else { json.null() }
            }
        }
    }
}

extension Memory.PathKey: Comparable {
    static func < (left: Self, right: Self) -> Bool {
        (left.group, left.user) < (right.group, right.user)
    }
}
