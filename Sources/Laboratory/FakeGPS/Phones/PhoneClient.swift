internal import Contract
internal import MQTT
internal import Tracking

/// A running phone: it takes its fixes, keeps them, and sends them when it can. Times count from
/// the fleet's start.
final class PhoneClient {
    enum Phase {
        case running
        /// It has sent everything, or was asked to stop, and is disconnecting.
        case leaving(until: Duration)
        case gone
    }

    /// How long disconnecting may take.
    static let goodbye = Duration.seconds(2)
    /// The receipt timeout grows to at most this multiple of its initial value.
    static let longestReceiptPatience = 8

    let phone: Phone
    let options: Fleet.Options
    let line: PhoneConnection
    private let startedAt: Timestamp
    private var schedule: Schedule
    private var departure: Schedule.Departure?
    private var actions: ActionQueue
    private var requestCount = 0
    /// When the last fix had been taken and the last request made; nil before that.
    private var endedAt: Duration?
    private(set) var phase = Phase.running

    var buffer: FixBuffer
    var requests = PendingRequests()
    var tally = FleetStatistics()
    /// Whether it has ever been online.
    var wasOnline = false
    /// When the wearable last measured something.
    var measuredAt: Timestamp?
    /// When a fix was last sent or a receipt received.
    var quietSince = Duration.zero
    var receiptPatience: Duration
    let report: (Fleet.Event) -> Void

    /// - Parameter buffer: the fixes left by an earlier run.
    init(
        _ phone: Phone, _ options: Fleet.Options, startedAt: Timestamp, buffer: FixBuffer,
        report: @escaping (Fleet.Event) -> Void
    ) {
        self.phone = phone
        self.options = options
        self.startedAt = startedAt
        self.buffer = buffer
        self.report = report
        schedule = Schedule(phone, options.pace)
        departure = schedule.next()
        actions = ActionQueue(phone)
        receiptPatience = options.receiptPatience
        line = PhoneConnection(from: phone.startsAfter, seed: phone.seed)
        tally.phones = 1
    }

    func wallTime(_ now: Duration) -> Timestamp { startedAt + now }

    /// Does whatever is due. To be called whenever the connection is ready to read or write, at
    /// ``nextDue(after:)``, and once per second.
    func turn(at now: Duration) {
        hear(at: now)
        takeFixes(until: now)
        if let due = line.connectsAt, due <= now, case .running = phase {
            line.connect(with: phone.connectionOptions(options, at: wallTime(now)))
        }
        speak(at: now)
        line.flush()
        if line.hasFailed { hear(at: now) }
        leaveIfDone(at: now)
    }

    private func takeFixes(until now: Duration) {
        guard case .running = phase else { return }
        while let action = actions.take({ schedule.realTime($0) <= now }) {
            requestCount += 1
            // The id must differ from those of any other run, or an old reply would match it.
            let id = "\(startedAt.milliseconds)-\(requestCount)"
            requests.add(
                id: id, method: action.method, payload: action.payload(id: id, now: wallTime(now)))
        }
        while let departure, departure.due <= now {
            buffer.keep(fix(departure))
            self.departure = schedule.next()
        }
        if departure == nil, actions.next == nil, endedAt == nil { endedAt = now }
    }

    private func fix(_ departure: Schedule.Departure) -> Fix {
        func rounded(_ value: Double?, to unit: Double) -> Double? {
            value.map { ($0 / unit).rounded() * unit }.map { ($0 * 100).rounded() / 100 }
        }
        let sample = departure.sample
        let takenAt = wallTime(departure.takenAt)
        return Fix(
            coordinate: sample.coordinate, takenAt: takenAt, receivedAt: takenAt,
            accuracy: rounded(sample.accuracy, to: 0.1),
            altitude: rounded(sample.altitude, to: 0.1),
            heading: rounded(sample.heading, to: 0.1).map { $0 >= 360 ? 0 : $0 },
            speed: rounded(sample.speed, to: 0.01),
            battery: phone.battery(after: departure.due - phone.startsAfter))
    }

    /// The end of the current period in which nothing may be sent; nil if there is none.
    func silence(at now: Duration) -> Duration? { schedule.silence(at: now) }

    // MARK: The end

    /// Disconnects; fixes not sent by now stay unsent.
    func leave(at now: Duration) {
        guard case .running = phase else { return }
        phase = .leaving(until: now + PhoneClient.goodbye)
        guard line.isOnline, phone.format == .kith else { return }
        line.publish(
            .other, topic: options.topics.string(.status(phone.user, device: phone.device)),
            payload: Array("offline".utf8), retain: true)
        line.flush()
    }

    private func leaveIfDone(at now: Duration) {
        if let endedAt {
            let isDone = buffer.isEmpty && requests.count == 0 && line.isIdle
            if isDone || now >= endedAt + options.patience { leave(at: now) }
        }
        guard case .leaving(let deadline) = phase,
            line.isIdle || !line.isOnline || now >= deadline
        else { return }
        line.close()
        phase = .gone
    }

    /// The statistics, including the fixes that are left.
    var total: FleetStatistics {
        var total = tally
        total.kept = buffer.fixes.count
        total.givenUp = buffer.givenUpCount
        total.unanswered = requests.count
        return total
    }

    var isGone: Bool { if case .gone = phase { true } else { false } }

    /// When ``turn(at:)`` has to be called next if the connection stays quiet.
    func nextDue(after now: Duration) -> Duration? {
        switch phase {
        case .gone: nil
        case .leaving(let deadline): deadline
        case .running:
            [
                departure?.due, actions.next.map(schedule.realTime), line.connectsAt,
                speaksNext(after: now), endedAt.map { $0 + options.patience },
            ].compactMap(\.self).min()
        }
    }
}
