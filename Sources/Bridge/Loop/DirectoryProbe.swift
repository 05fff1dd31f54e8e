internal import Directory
internal import MQTT

/// Asks the directory every minute whether it answers: an operator is to know that it does not before
/// anybody logs in.
struct DirectoryProbe {
    /// Nil as long as it answers.
    typealias Answer = DirectoryError?

    private let worker: SerialWorker<Void, Answer>
    private var askedAt: ContinuousClock.Instant?
    private var isAsked = false

    static let pause = Duration.seconds(60)

    init(waker: Waker, ask: @escaping @Sendable () throws(DirectoryError) -> Void) {
        worker = SerialWorker("directory probe", givesWay: true, waker: waker) {
            do throws(DirectoryError) {
                try ask()
                return [nil]
            } catch {
                return [error]
            }
        }
    }

    /// Asks if it is time for that, and the last question is answered.
    mutating func ask(at now: ContinuousClock.Instant) {
        guard !isAsked, askedAt.map({ now - $0 >= DirectoryProbe.pause }) ?? true else { return }
        (askedAt, isAsked) = (now, true)
        worker.submit([()])
    }

    mutating func takeAnswers() -> [Answer] {
        let answers = worker.takeOutcomes()
        if !answers.isEmpty { isAsked = false }
        return answers
    }
}
