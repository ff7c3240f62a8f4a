"""Three lessons of twenty minutes with `teach live`: what happens when, and what to say if few or many are right."""

from typing import NamedTuple


class Ask(NamedTuple):
    """Minutes in which a class votes, discusses and votes again on a question, which begins so; what to say if few, or many, are right."""

    minutes: int
    question: str
    few: str
    many: str


class Show(NamedTuple):
    """Minutes in which phones follow a player, which has this title, and what to say."""

    minutes: int
    player: str
    said: str


class Say(NamedTuple):
    """Minutes without a vote."""

    minutes: int
    said: str


class Plan(NamedTuple):
    """A lesson: its title, the chapter whose questions it asks, and its steps."""

    title: str
    chapter: str
    steps: tuple[Ask | Show | Say, ...]


BEGIN = Say(2, "Show the code. Students join, and the class is locked when all are in.")
END = Say(1, "End the class, and show what it believed before and after.")
PLANS = (
    Plan(
        "The chain rule",
        "inductive-chain-rule",
        (
            BEGIN,
            Ask(
                8,
                "$x_4$ grows from 4 to 4.1.",
                "Nudge one arrow at a time: $x_4$ moves $y_1$ by 0.1, and $y_2$ by 0.8. Both move $z$ at the same time. Vote again.",
                "One sentence: along a path factors multiply, over several paths effects add.",
            ),
            Show(
                5,
                "The chain rule, step by step",
                "Step through $x_4$. Before each sum, ask what comes next. It has a term for each child, and not for each path.",
            ),
            Ask(
                4,
                "$z = x_1 \\cdot y_1 + y_2$",
                "Point at the two arrows that leave $x_1$. The partial derivative holds $y_1$ still, the total one does not.",
                "Let one student say which of the wrong answers is a partial derivative.",
            ),
            END,
        ),
    ),
    Plan(
        "The order",
        "order-matters",
        (
            BEGIN,
            Ask(
                7,
                "The derivative of $z$ is known: it is 1.",
                "Cover all variables but $z$ and its inputs. For each ask: have all its children been processed?",
                "Ask for a variable that has to wait, and for whom it waits.",
            ),
            Show(
                4,
                "Breadth-first, beside the topological order",
                "Step until the two sides differ. What has $h$ passed on, and what came too late?",
            ),
            Ask(
                6,
                "Breadth-first search visits",
                "Write down what $h$ has when its turn comes: 1. The 8 from $m$ is not there yet.",
                "One sentence: once is not enough, it must be after all children.",
            ),
            END,
        ),
    ),
    Plan(
        "Broadcasting",
        "broadcasting",
        (
            BEGIN,
            Ask(
                7,
                "The three joints have the gradients 2, 4 and 6.",
                "Slide the base by 0.1 with your hand. Which joints move, and how far?",
                "One sentence: what is used three times has three children, and their terms add.",
            ),
            Show(5, "A bias gets the sum over the rows", "Step through one entry of $b$. Count its terms, and compare them with the rows."),
            Ask(
                5,
                "Now a column $s$ of the shape (3, 1) is added",
                "Write the shape of $s$ beside that of the upstream gradient. Which axis must become 1?",
                "Ask for the children of $s_1$, and who would divide by 2.",
            ),
            END,
        ),
    ),
)


def live_lessons(chapters) -> list[str]:
    plans = [plan for plan in PLANS if plan.chapter in chapters]
    if not plans:
        return []
    return [
        "## Three lessons of twenty minutes, live",
        "A question takes a vote, a discussion in pairs, and a second vote. If fewer than 30 % are right in the first, or more than 70 %, "
        "leave the discussion out and say what the table says. The times are estimates: no class has tried them.",
        *(part for plan in plans for part in lesson_table(plan)),
    ]


def lesson_table(plan):
    start, rows = 0, []
    for step in plan.steps:
        rows.append(f"| {start}:00 | {step.minutes}&nbsp;min | {in_words(step)} |")
        start += step.minutes
    yield f"**{plan.title}**, with the questions of [this chapter](chapters/{plan.chapter}.md):"
    yield "| Time | For | What happens |\n|-|-|-|\n" + "\n".join(rows)


def in_words(step):
    """Return a step as a cell of the table."""
    match step:
        case Ask():
            return f"Ask: *{step.question} …* Below 30 %: {step.few} Above 70 %: {step.many}"
        case Show():
            return f"*Follow me*. {step.said}"
    return step.said
