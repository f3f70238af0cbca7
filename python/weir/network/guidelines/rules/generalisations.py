"""A collective against one that does the same and more, or the same for messages of any sizes."""

from weir.network.guidelines.guideline import Part, Size, declare, share, whole

declare(Part("Barrier", Size.NONE), Part("Allreduce", Size.FLOAT))
declare(whole("Reduce"), whole("Allreduce"))
declare(share("Gather"), share("Allgather"))
declare(share("Gather"), whole("Reduce"))
declare(share("Scatter"), whole("Bcast"))
declare(share("Allgather"), share("Alltoall"))
declare(share("Allgather"), whole("Allreduce"))
declare(share("Reduce_scatter"), whole("Allreduce"))
declare(share("Reduce_scatter_block"), share("Reduce_scatter"))

declare(share("Allgather"), share("Allgatherv"))
declare(share("Alltoall"), share("Alltoallv"))
declare(share("Gather"), share("Gatherv"))
declare(share("Scatter"), share("Scatterv"))
