import Contract
import JSON
import Tracking

extension JSONWriter {
    mutating func presence(_ presence: Presence) {
        member(DocumentKey.isOnline, presence.isOnline)
        member(DocumentKey.leftAt, presence.leftAt)
        members(DocumentKey.entries, presence.entries) { json, entry in
            json.member(DocumentKey.device, entry.device)
            json.member(DocumentKey.isConnected, entry.isConnected)
            if entry.hasLeft { json.member(DocumentKey.hasLeft, true) }
            json.member(DocumentKey.lastSign, entry.lastSign)
            json.member(DocumentKey.rhythm, entry.rhythm) { $0.rhythm($1) }
        }
    }

    private mutating func rhythm(_ rhythm: Rhythm) {
        key(DocumentKey.intervals)
        array(rhythm.intervals.indices) { $0.number(Int64(rhythm.intervals[$1])) }
        member(DocumentKey.count, Int64(rhythm.count))
        member(DocumentKey.next, Int64(rhythm.next))
        member(DocumentKey.lastReport, rhythm.lastReport)
    }

    mutating func deviceLog(_ log: DeviceLog) {
        member(DocumentKey.device, log.device)
        member(DocumentKey.last, log.last)
        member(DocumentKey.newest, log.newest)
        member(DocumentKey.count, Int64(log.count))
        member(DocumentKey.earliest, log.earliest)
        member(DocumentKey.latestTaken, log.latest)
        member(DocumentKey.hasChunks, log.hasChunks)
        member(DocumentKey.receipts, log.receipts) { json, receipts in
            json.member(DocumentKey.storedThrough, receipts.storedThrough)
            json.key(DocumentKey.beyond)
            json.array(receipts.beyond) { json, stretch in
                json.array([stretch.lowerBound, stretch.upperBound]) { $0.number($1) }
            }
            json.member(DocumentKey.gapSince, receipts.gapSince)
        }
        guard log.clock != DeviceClock() else { return }
        member(DocumentKey.clock, log.clock) { json, clock in
            json.member(DocumentKey.ahead, clock.offset?.milliseconds)
            json.member(DocumentKey.candidate, clock.candidate) { json, candidate in
                json.member(DocumentKey.ahead, candidate.ahead.milliseconds)
                json.member(DocumentKey.since, candidate.since)
                json.member(DocumentKey.count, Int64(candidate.count))
            }
            json.member(DocumentKey.refusals, Int64(clock.refusals))
            json.member(DocumentKey.toldAt, clock.toldAt)
            if clock.isServers { json.member(DocumentKey.isServers, true) }
        }
    }

    mutating func usage(_ usage: Usage) {
        member(DocumentKey.day, usage.day)
        for kind in Usage.Kind.allCases {
            member(kind.documentKey, usage[kind]) { json, amount in
                json.member(DocumentKey.rows, Int64(amount.rows))
                json.member(DocumentKey.bytes, Int64(amount.bytes))
                json.member(DocumentKey.lastAt, amount.lastAt)
            }
        }
    }
}

extension Presence {
    init(_ object: DocumentObject) throws {
        self.init(
            isOnline: try object.bool(DocumentKey.isOnline),
            leftAt: try object.time(ifPresent: DocumentKey.leftAt),
            entries: try object.objects(DocumentKey.entries) { object in
                Entry(
                    device: try object.identifier(DocumentKey.device),
                    isConnected: try object.bool(DocumentKey.isConnected),
                    hasLeft: try object.bool(ifPresent: DocumentKey.hasLeft) ?? false,
                    lastSign: try object.time(DocumentKey.lastSign),
                    rhythm: try Rhythm(document: object.object(DocumentKey.rhythm)))
            })
    }
}

extension Rhythm {
    fileprivate init(document object: DocumentObject) throws {
        var intervals = SIMD16<UInt16>()
        let values = try object.values(DocumentKey.intervals)
        guard values.count == intervals.scalarCount else { throw StoreError.damagedDocument }
        for (index, value) in values.enumerated() {
            intervals[index] = try object.required(
                value.integer.flatMap { UInt16(exactly: $0) })
        }
        self = try object.required(
            Rhythm(
                intervals: intervals, count: try object.integer(DocumentKey.count),
                next: try object.integer(DocumentKey.next),
                lastReport: try object.time(ifPresent: DocumentKey.lastReport)))
    }
}

extension DeviceLog {
    init(_ object: DocumentObject) throws {
        let earliest = try object.time(ifPresent: DocumentKey.earliest)
        let latest = try object.time(ifPresent: DocumentKey.latestTaken)
        if let earliest, let latest, earliest > latest { throw StoreError.damagedDocument }
        self.init(
            device: try object.identifier(DocumentKey.device),
            last: try object.identifier(ifPresent: DocumentKey.last),
            newest: try object.time(ifPresent: DocumentKey.newest),
            count: try object.integer(DocumentKey.count), earliest: earliest, latest: latest,
            hasChunks: try object.bool(DocumentKey.hasChunks),
            receipts: try Receipts(object.object(DocumentKey.receipts)),
            clock: try object.object(ifPresent: DocumentKey.clock) { object in
                try DeviceClock(object)
            } ?? DeviceClock())
    }
}

extension DeviceClock {
    fileprivate init(_ object: DocumentObject) throws {
        self.init(
            offset: try object.integer(ifPresent: DocumentKey.ahead).map { .milliseconds($0) },
            candidate: try object.object(ifPresent: DocumentKey.candidate) { object in
                Candidate(
                    ahead: .milliseconds(try object.integer(DocumentKey.ahead) as Int64),
                    since: try object.time(DocumentKey.since),
                    count: try object.integer(DocumentKey.count))
            },
            refusals: try object.integer(DocumentKey.refusals),
            toldAt: try object.time(ifPresent: DocumentKey.toldAt),
            isServers: try object.bool(ifPresent: DocumentKey.isServers) ?? false)
    }
}

extension Receipts {
    fileprivate init(_ object: DocumentObject) throws {
        let beyond: [ClosedRange<Int64>] = try object.values(DocumentKey.beyond).map { value in
            guard case .array(let bounds) = value, bounds.count == 2,
                let first = bounds[0].integer, let last = bounds[1].integer, first <= last
            else { throw StoreError.damagedDocument }
            return first...last
        }
        self = try object.required(
            Receipts(
                storedThrough: try object.integer(ifPresent: DocumentKey.storedThrough),
                beyond: beyond, gapSince: try object.time(ifPresent: DocumentKey.gapSince)))
    }
}

extension Usage {
    init(_ object: DocumentObject) throws {
        var amounts: [Kind: Amount] = [:]
        for kind in Kind.allCases {
            amounts[kind] = try object.object(ifPresent: kind.documentKey) { object in
                Amount(
                    rows: try object.integer(DocumentKey.rows),
                    bytes: try object.integer(DocumentKey.bytes),
                    lastAt: try object.time(ifPresent: DocumentKey.lastAt))
            }
        }
        self.init(day: try object.integer(DocumentKey.day)) { amounts[$0] ?? Amount() }
    }
}

extension Usage.Kind {
    fileprivate var documentKey: StaticString {
        switch self {
        case .fixes: DocumentKey.fixes
        case .alerts: DocumentKey.alerts
        case .messages: DocumentKey.messages
        case .changes: DocumentKey.changes
        case .answers: DocumentKey.answers
        case .strangers: DocumentKey.strangers
        }
    }
}
