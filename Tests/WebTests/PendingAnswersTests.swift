import HTTPTypes
import Testing

@testable import Web

/// Each waiting request is answered once, in order, at the deadline at the latest.
struct PendingAnswersTests {
    private final class Box {
        var answers: [String] = []
    }

    private var pending = PendingAnswers<Int, String>()
    private let box = Box()

    private mutating func add(_ item: Int, until seconds: Int = 20) {
        let box = box
        pending.add(item, until: .seconds(seconds)) { result in
            switch result {
            case .success(let text): box.answers.append("\(item) \(text)")
            case .failure(let refusal): box.answers.append("\(item) \(refusal.status.code)")
            }
        }
    }

    @Test mutating func `Requests with a result are answered in order, others wait`() {
        for item in [5, 2, 8, 3] { add(item) }
        pending.answer { $0.isMultiple(of: 2) ? .success("even") : nil }
        #expect(box.answers == ["2 even", "8 even"])
        #expect(pending.count == 2)
        pending.answerAll(.success("rest"))
        #expect(box.answers == ["2 even", "8 even", "5 rest", "3 rest"])
        #expect(pending.count == 0)
    }

    @Test mutating func `No request is answered twice`() {
        add(1, until: 5)
        pending.answerAll(.failure(.noBroker))
        pending.answerAll(.success("late"))
        pending.expire(at: .seconds(5), .noAnswer)
        #expect(box.answers == ["1 503"])
    }

    @Test mutating func `Each request is refused at its deadline, not before`() {
        for item in [7, 5, 6] { add(item, until: item) }
        pending.expire(at: .milliseconds(4_999), .noAnswer)
        #expect(box.answers.isEmpty)
        pending.expire(at: .seconds(6), .noAnswer)
        #expect(box.answers == ["5 504", "6 504"])
        #expect(pending.count == 1)
    }

    @Test mutating func `A change made on a visit persists`() {
        for item in [1, 2] { add(item) }
        pending.answer { item in
            item += 10
            return nil
        }
        var seen: [Int] = []
        pending.answer { item in
            seen.append(item)
            return nil
        }
        #expect(seen == [11, 12] && box.answers.isEmpty && pending.count == 2)
    }
}
