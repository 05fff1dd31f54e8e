import Contract
import JSON
import MQTT
import Store
import Tracking

extension Journeys {
    /// Republishes the path as soon as there is room, from the segment that contains `from` on, or
    /// as a whole.
    func notePath(of person: Person, _ groups: [GroupID], from: Timestamp?) {
        let urgency: RetainedPaths.Urgency = person.tracker.emergency == nil ? .soon : .sos
        for group in groups {
            state.paths.note(.init(group: group, user: person.id), from: from, urgency)
        }
    }

    /// Handles a point that was inserted into the path: the segments from there on are republished,
    /// at most once per ``latePathPause`` for each person.
    func noteLatePoint(of person: Person, _ path: Path, takenAt: Timestamp) {
        note(.staleTail, person)
        if let due = person.latePathDue, now < due, now + Journeys.latePathPause >= due {
            for group in path.groups {
                state.paths.note(
                    .init(group: group, user: person.id), from: takenAt, .late(due: due))
            }
        } else {
            person.latePathDue = now + Journeys.latePathPause
            notePath(of: person, path.groups, from: takenAt)
        }
    }

    func endPath(_ number: Int64, of person: Person, withdrawn: Bool) throws {
        let groups = try transaction.groups(ofPath: number, of: person.id)
        try transaction.endPath(number, of: person.id, at: now)
        guard withdrawn else {
            try transaction.supersedePaths(by: number, of: person.id)
            // This turn's points are still to be published, although the tracker has closed the
            // path.
            if person.pending.contains(.pathTail) || person.isTailHeldBack {
                let last = try transaction.lastPathPoints(number, of: person.id, count: 1).first
                notePath(of: person, groups, from: last?.takenAt)
            }
            return
        }
        try transaction.withdrawPath(number, of: person.id)
        notePath(of: person, groups, from: nil)
    }

    /// The time that further late points of a person wait for publication.
    static let latePathPause = Duration.seconds(10)
    /// Paths examined plus segments published in one turn, not counting the last segment of each
    /// path; the limit may be exceeded by as many segments as one path has.
    static let maximumSegments = 200
    private static let segmentPause = Duration.milliseconds(50)

    /// Publishes a bounded part of the paths that changed other than by growing, and clears surplus
    /// segments.
    func showPaths() throws {
        var windows: [PathNumber: [PathSegment]] = [:]
        while segmentsPublished < Journeys.maximumSegments {
            guard let (key, from) = state.paths.take(at: now) else { return }
            // Examining also has a cost.
            segmentsPublished += 1
            guard let person = memory.people[key.user], let group = memory.groups[key.group]
            else { continue }
            try charge(person.budget) {
                if from != nil { person.latePathDue = now + Journeys.latePathPause }
                var segments: [PathSegment] = []
                if let path = try transaction.visiblePath(of: person.id, to: group.id) {
                    let mode = person.mode(of: path.mode, path.number, in: group)
                    let number = PathNumber(user: person.id, number: path.number, mode: mode)
                    if let known = windows[number] {
                        segments = known
                    } else {
                        segments = try transaction.lastSegments(of: path, of: person, as: mode)
                        windows[number] = segments
                    }
                }
                show(segments, of: person, to: group, from: from)
            }
        }
        state.paths.pause(until: now + Journeys.segmentPause)
    }

    private struct PathNumber: Hashable {
        let user: UserID
        let number: Int64
        let mode: Path.Mode
    }

    private func show(
        _ segments: [PathSegment], of person: Person, to group: Group, from: Timestamp?
    ) {
        for segment in segments {
            if let from, let last = segment.points.last, last.takenAt < from { continue }
            retain(.path(group.key, person.name, segment: segment.segment), segment.payload)
            segmentsPublished += 1
        }
        let shown = segments.first.map { $0.segment...($0.segment + segments.count - 1) }
        setPublished(shown, of: person, to: group)
    }

    /// Clears segments from the broker that are not among these.
    func setPublished(_ segments: ClosedRange<Int>?, of person: Person, to group: Group) {
        let key = RetainedPaths.Key(group: group.id, user: person.id)
        let before = state.paths.published[key]
        guard before != segments else { return }
        state.paths.published[key] = segments
        for segment in before.map({ Array($0) }) ?? [] where segments?.contains(segment) != true {
            retain(.path(group.key, person.name, segment: segment), [])
            segmentsPublished += 1
        }
    }

    /// Reloads the last segment after points were inserted: only the store knows its content.
    func reloadTail(of person: Person) throws {
        guard person.pending.contains(.staleTail), let path = person.tracker.path else { return }
        let count = path.count - (path.lastSegment - 1) * Path.segmentLength
        let tail = try transaction.lastPathPoints(path.number, of: person.id, count: count)
        person.tracker.replacePath(count: path.count, tail: tail)
        note(.save, person)
    }

    /// Publishes the last segment of each path that has grown.
    func showTails(of people: [Person]) throws {
        for person in people where person.pending.contains(.pathTail) {
            person.isTailHeldBack = !turn.shows(person)
            if person.isTailHeldBack {
                memory.heldBack[person.id] = person
            } else {
                try charge(person.budget) { publishPathTail(of: person) }
            }
        }
    }

    private func publishPathTail(of person: Person) {
        guard let path = person.tracker.path, path.lastSegment > 0 else { return }
        publish(person, path, path.lastSegment, path.tail, qos: .atMostOnce)
    }

    /// Publishes a full segment.
    func publishSegment(of person: Person, _ segment: Int, _ points: [Path.Point]) {
        // If points were inserted, the tracker's last segment is wrong, and it will be republished
        // anyway.
        guard let path = person.tracker.path, !person.pending.contains(.staleTail) else { return }
        guard segmentsPublished < Journeys.maximumSegments else {
            return notePath(of: person, path.groups, from: points.first?.takenAt)
        }
        publish(person, path, segment, points, qos: .atLeastOnce)
        segmentsPublished += path.groups.count
    }

    private func publish(
        _ person: Person, _ path: Path, _ segment: Int, _ points: [Path.Point], qos: QoS
    ) {
        var payloads: [Path.Mode: [UInt8]] = [:]
        for group in path.groups.compactMap({ memory.groups[$0] }) {
            let key = RetainedPaths.Key(group: group.id, user: person.id)
            guard !state.paths.isUnknown(key) else { continue }
            let mode = person.mode(of: path.mode, path.number, in: group)
            let payload =
                payloads[mode] ?? PathSegment(segment: segment, mode: mode, points: points).payload
            payloads[mode] = payload
            retain(.path(group.key, person.name, segment: segment), payload, qos: qos)
            let published = state.paths.published[key] ?? segment...segment
            let last = max(published.upperBound, segment)
            let first = max(published.lowerBound, last - Path.retainedSegments + 1)
            setPublished(first...last, of: person, to: group)
        }
    }

    // MARK: path.get

    /// Points per answer; they fit into a payload of 64 KiB in either format.
    private static let pageLength = 400

    func getPath(_ request: JourneyCommand.PathRequest, by asker: Person) throws -> [UInt8] {
        let group = try group(request.group, of: asker)
        let person = try turn.member(request.user, of: group)
        let path =
            person === asker
            ? try transaction.latestPath(of: person.id)
            : try transaction.visiblePath(of: person.id, to: group.id)
        if let cursor = request.cursor, cursor.path != path?.number {
            throw Problem(invalid: [
                .init(
                    field: "cursor",
                    reason: "belongs to a path that has ended; start again without it")
            ])
        }
        // One more, to find out whether there is more.
        let points =
            try path.map {
                try transaction.pathPoints(
                    $0.number, of: person.id, after: request.cursor?.place,
                    atMost: Journeys.pageLength + 1)
            } ?? []
        if request.cursor == nil, !points.isEmpty {
            try turn.noteLook(.path, at: person, by: asker)
        }
        let page = points.prefix(Journeys.pageLength)
        let document = PathDocument(
            user: person.name, name: person.displayName,
            mode: path.map { person.mode(of: $0.mode, $0.number, in: group) },
            startedAt: path?.startedAt, points: page.map(\.point))
        return JSONWriter.object { json in
            json.key("path")
            switch request.format {
            case .geojson: json.raw(document.geoJSON)
            case .gpx: json.string(document.gpx)
            }
            json.key("next")
            if let path, let last = page.last, page.count < points.count {
                json.string(PathCursor(path: path.number, after: last.place).text)
            } else {
                json.null()
            }
        }
    }
}
